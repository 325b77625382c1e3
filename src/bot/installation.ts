import type { Probot } from 'probot';
import { makeCheckSelectable } from '../approvals/make-check-selectable.ts';
import { syncInstallation } from '../approvals/sync-open-pulls.ts';
import { type GitHubInstallation, toInstallation } from '../github/installation-payload.ts';
import { syncMembers } from '../organizations/sync-members.ts';
import type { BotDeps } from './ports.ts';

/** The other repositories' checks become selectable with their next push. */
const MOST_SELECTABLE = 50;

/** `installation` events: keeps the organization as GitHub has it, and syncs what was open before the App came. */
export function onInstallation(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on(
    ['installation.created', 'installation.unsuspend', 'installation.new_permissions_accepted'],
    async ({ payload }) => {
      const installation = toInstallation(payload.installation as GitHubInstallation, deps.githubUrl);
      if (!installation) return;
      await syncInstallation(deps, installation);
      await syncMembers(deps, await deps.organizations.save(installation)).catch((error: unknown) =>
        deps.onSyncFailed(error, { repository: `${installation.account.login}/*` }),
      );
      const repositories = await deps.installations.repositories(installation.id);
      for (const repository of repositories.slice(0, MOST_SELECTABLE)) {
        await makeCheckSelectable(deps, { ...repository, installation: installation.id });
      }
    },
  );

  // We ask GitHub whether it has really ended: an old webhook that is sent again must not end it.
  probot.on(['installation.suspend', 'installation.deleted'], async ({ payload }) => {
    const installation = await deps.installations.get(payload.installation.id);
    if (installation) await deps.organizations.save(installation);
    else await deps.organizations.removed(payload.installation.id);
  });
}

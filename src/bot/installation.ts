import type { Probot } from 'probot';
import { type GitHubInstallation, toInstallation } from '../accounts/github-installation.ts';
import { readMembers } from '../accounts/member-list.ts';
import { introduce } from '../approvals/introduce.ts';
import { trackInstallation, trackRepository } from '../approvals/track.ts';
import type { BotDeps } from './ports.ts';

const MOST_INTRODUCED = 50;

/** Keeps the organizations as GitHub has them, and covers what was open before the App came. */
export function onInstallation(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on(
    ['installation.created', 'installation.unsuspend', 'installation.new_permissions_accepted'],
    async ({ payload }) => {
      const installation = toInstallation(payload.installation as GitHubInstallation, deps.githubUrl);
      if (!installation) return;
      await trackInstallation(deps, installation);
      await readMembers(deps, await deps.organizations.save(installation)).catch((error: unknown) =>
        deps.onFault(error, { repository: `${installation.account.login}/*` }),
      );
      const repositories = await deps.installations.repositories(installation.id);
      // The others get it with their next push.
      for (const repository of repositories.slice(0, MOST_INTRODUCED))
        await introduce(deps, { ...repository, installation: installation.id });
    },
  );

  // What ends here is asked of GitHub: an old webhook, sent once more, must not end it.
  probot.on(['installation.suspend', 'installation.deleted'], async ({ payload }) => {
    const now = await deps.installations.get(payload.installation.id);
    if (now) await deps.organizations.save(now);
    else await deps.organizations.removed(payload.installation.id);
  });

  probot.on('installation_repositories.removed', async ({ payload }) => {
    for (const { id } of payload.repositories_removed) await deps.openPulls.forgetRepository(id);
  });

  probot.on('installation_repositories.added', async ({ payload }) => {
    const installation = toInstallation(payload.installation as GitHubInstallation, deps.githubUrl);
    if (!installation) return;
    await deps.organizations.save(installation);
    for (const { id, full_name } of payload.repositories_added) {
      const [owner, name] = full_name?.split('/') ?? [];
      if (owner && name) await trackRepository(deps, { installation: installation.id, id, owner, name });
    }
  });
}

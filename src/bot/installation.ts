import type { Probot } from 'probot';
import { type GitHubInstallation, toInstallation } from '../adapters/github/installation-payload.ts';
import { makeCheckSelectable } from '../approvals/check-run/make-check-selectable.ts';
import { syncInstallation } from '../approvals/reconcile/sync-installation.ts';
import { syncRepository } from '../approvals/reconcile/sync-open-pulls.ts';
import { syncMembers } from '../organizations/sync-members.ts';
import { syncRepositories } from '../protection/check-repositories.ts';
import { kindsOf } from '../protection/kinds.ts';
import { watchAccount } from '../protection/watch.ts';
import { attempt } from '../shared/work.ts';
import type { BotDeps } from './deps.ts';
import { notedIn } from './noted.ts';

/** The other repositories' checks become selectable with their next push. */
const MOST_SELECTABLE = 50;

/**
 * `installation` events: keeps the organization as GitHub has it, and syncs what was open before the App came.
 * `installation_repositories` events: the App was given repositories, or lost them.
 */
export function onInstallation(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on(
    ['installation.created', 'installation.unsuspend', 'installation.new_permissions_accepted'],
    async ({ payload }) => {
      const installation = toInstallation(payload.installation as GitHubInstallation, deps.githubUrl);
      if (!installation) return;
      // First, because a person may follow the renewed link of the first check run that is synced.
      const org = await deps.organizations.save(installation);
      await syncInstallation(deps, installation);
      await attempt(deps, { repository: `${installation.account.login}/*` }, () => syncMembers(deps, org));
      const repositories = (await deps.installations.repositories(installation.id)) ?? [];
      for (const repository of repositories.slice(0, MOST_SELECTABLE)) {
        await makeCheckSelectable(deps, { ...repository, installation: installation.id });
      }
      await watchAccount(deps, org, notedIn(deps, payload, kindsOf('app')));
    },
  );

  // We ask GitHub whether it has really ended: an old webhook that is sent again must not end it.
  probot.on(['installation.suspend', 'installation.deleted'], async ({ payload }) => {
    const noted = notedIn(deps, payload, kindsOf('app'));
    const installation = await deps.installations.get(payload.installation.id);
    if (installation) {
      await watchAccount(deps, await deps.organizations.save(installation), noted);
      return;
    }
    const { account } = payload.installation as GitHubInstallation;
    const org =
      (await deps.organizations.byInstallation(payload.installation.id)) ??
      // A reconciliation that was faster has logged the removal, without who did it.
      (await deps.organizations.byOrgId(account?.id ?? 0));
    if (org) await watchAccount(deps, org, noted);
    // It may have been installed again in the meantime, and that webhook's change may have been overwritten by this one's.
    const again = (await deps.installations.list()).find((one) => one.account.id === account?.id);
    if (again) await deps.organizations.save(again);
  });

  probot.on('installation_repositories.added', async ({ payload }) => {
    const installation = toInstallation(payload.installation as GitHubInstallation, deps.githubUrl);
    if (!installation) return;
    const org = await deps.organizations.save(installation);
    for (const { id, full_name } of payload.repositories_added) {
      const [owner, name] = full_name?.split('/') ?? [];
      if (owner && name) await syncRepository(deps, { installation: installation.id, id, owner, name });
    }
    await syncRepositories(deps, org);
    await watchAccount(deps, org, notedIn(deps, payload, ['repositoriesReduced']));
  });

  probot.on('installation_repositories.removed', async ({ payload }) => {
    const { installation, repositories_removed: removed } = payload;
    await forgetIfGone(
      deps,
      installation.id,
      removed.map(({ id }) => id),
    );
    const org = await deps.organizations.byInstallation(installation.id);
    if (org) await watchAccount(deps, org, notedIn(deps, payload, ['repositoriesReduced']));
  });
}

/**
 * Forgets the open pull requests of repositories, and no longer reads what protects them, if GitHub doesn't list them: by
 * now the App may have them back.
 *
 * @returns The ids of those.
 */
export async function forgetIfGone(deps: BotDeps, installation: number, ids: number[]): Promise<number[]> {
  const listed = await deps.installations.repositories(installation);
  const gone = listed ? ids.filter((id) => !listed.some((one) => one.id === id)) : [];
  for (const id of gone) await deps.openPulls.removeRepository(id);
  await deps.repositoryChecks.remove(gone);
  return gone;
}

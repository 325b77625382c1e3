import type { Probot } from 'probot';
import { type GitHubInstallation, toInstallation } from '../adapters/github/installation-payload.ts';
import { syncRepository } from '../approvals/reconcile/sync-open-pulls.ts';
import { syncRepositories } from '../organizations/check-repositories.ts';
import { watchAccount } from '../organizations/protection/watch.ts';
import { notedIn } from './noted.ts';
import type { BotDeps } from './ports.ts';

/** `installation_repositories` events: the App was given repositories, or lost them. */
export function onInstallationRepositories(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
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

import type { Probot } from 'probot';
import { type GitHubInstallation, toInstallation } from '../adapters/github/installation-payload.ts';
import { syncRepository } from '../approvals/reconcile/sync-open-pulls.ts';
import { watchAccount } from '../organizations/protection/watch.ts';
import { notedIn } from './noted.ts';
import type { BotDeps } from './ports.ts';

/** `installation_repositories` events: the App was given repositories, or lost them. */
export function onInstallationRepositories(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on('installation_repositories.added', async ({ payload }) => {
    const installation = toInstallation(payload.installation as GitHubInstallation, deps.githubUrl);
    if (!installation) return;
    await deps.organizations.save(installation);
    for (const { id, full_name } of payload.repositories_added) {
      const [owner, name] = full_name?.split('/') ?? [];
      if (owner && name) await syncRepository(deps, { installation: installation.id, id, owner, name });
    }
  });

  probot.on('installation_repositories.removed', async ({ payload }) => {
    const ids = payload.repositories_removed.map(({ id }) => id);
    for (const id of ids) await deps.openPulls.removeRepository(id);
    await deps.repositoryChecks.remove(ids);
    const org = await deps.organizations.byInstallation(payload.installation.id);
    if (org) await watchAccount(deps, org, notedIn(deps, payload, ['repositoriesReduced']));
  });
}

import type { Probot } from 'probot';
import { syncRepository } from '../approvals/reconcile/sync-open-pulls.ts';
import { recheckRepository } from '../protection/check-repositories.ts';
import { ABOUT_RULES } from '../protection/compare.ts';
import { forgetRepository } from '../protection/watch.ts';
import type { BotDeps } from './deps.ts';
import { forgetIfGone } from './installation.ts';
import { notedIn } from './noted.ts';

/**
 * `repository` events. After a rename, a transfer or an unarchival the open pull requests are synced. The background
 * checks of what branches require know the repository from then on, or no longer.
 */
export function onRepository(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on(
    ['repository.renamed', 'repository.transferred', 'repository.unarchived'],
    async ({ payload: { installation, repository } }) => {
      if (!installation) return;
      const { id, name, owner } = repository;
      await syncRepository(deps, { installation: installation.id, id, owner: owner.login, name });
    },
  );

  probot.on(['repository.deleted', 'repository.archived'], async ({ payload }) => {
    const { installation, action } = payload;
    if (!installation) return;
    const [gone] = await forgetIfGone(deps, installation.id, [payload.repository.id]);
    const org = await deps.organizations.byInstallation(installation.id);
    if (gone && org && action === 'deleted') await forgetRepository(deps, org, gone);
  });

  probot.on(
    [
      'repository.created',
      'repository.edited',
      'repository.renamed',
      'repository.transferred',
      'repository.unarchived',
    ],
    async ({ payload }) => {
      const { installation, repository } = payload;
      const org = installation && (await deps.organizations.byInstallation(installation.id));
      const { id, name, default_branch: defaultBranch } = repository;
      if (org) await deps.repositoryChecks.put(org.id, { id, name, defaultBranch });
      const hasMoved = payload.action === 'edited' && payload.changes.default_branch !== undefined;
      if (hasMoved)
        await recheckRepository(deps, id, notedIn(deps, payload, ['ruleCoversLess'], ABOUT_RULES));
    },
  );
}

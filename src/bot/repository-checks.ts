import type { Probot } from 'probot';
import type { BotDeps } from './ports.ts';

type About = {
  installation?: { id: number } | undefined;
  repository?: { id: number; name: string; default_branch: string } | undefined;
};

/**
 * Webhooks that change which repositories there are, or what their branches require. They send no request: what they say
 * is stored, and the background checks ask GitHub. `branch_protection_rule` and `repository_ruleset` arrive only if the
 * operator granted `administration: read` and subscribed the App to them.
 */
export function onRepositoryChecks(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  const { repositoryChecks } = deps;
  const orgOf = async ({ installation }: About) =>
    installation ? deps.organizations.byInstallation(installation.id) : null;

  probot.on(
    [
      'repository.created',
      'repository.edited',
      'repository.renamed',
      'repository.transferred',
      'repository.unarchived',
    ],
    async ({ payload }) => {
      const org = await orgOf(payload);
      const { id, name, default_branch: defaultBranch } = payload.repository;
      if (org) await repositoryChecks.put(org.id, { id, name, defaultBranch });
    },
  );
  probot.on(['repository.deleted', 'repository.archived'], ({ payload }) =>
    repositoryChecks.remove([payload.repository.id]),
  );
  probot.on('installation_repositories.removed', ({ payload }) =>
    repositoryChecks.remove(payload.repositories_removed.map(({ id }) => id)),
  );

  const markDue = async (payload: About) => {
    if (payload.repository) return repositoryChecks.markDue({ repoId: payload.repository.id });
    // A ruleset of the whole organization.
    const org = await orgOf(payload);
    if (org) await repositoryChecks.markDue({ orgRecordId: org.id, checkedBefore: deps.clock.now() });
  };
  probot.on('branch_protection_rule', ({ payload }) => markDue(payload));
  probot.on('repository_ruleset', ({ payload }) => markDue(payload));
}

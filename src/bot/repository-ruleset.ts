import type { Probot } from 'probot';
import type { BotDeps } from './ports.ts';

/**
 * `repository_ruleset` events, of a repository or of the whole organization. They arrive and are handled like those of
 * `branch-protection-rule.ts`.
 */
export function onRepositoryRuleset(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on('repository_ruleset', async ({ payload: { installation, repository } }) => {
    if (repository) return deps.repositoryChecks.markDue({ repoId: repository.id });
    const org = installation && (await deps.organizations.byInstallation(installation.id));
    if (org) await deps.repositoryChecks.markDue({ orgRecordId: org.id, checkedBefore: deps.clock.now() });
  });
}

import type { Probot } from 'probot';
import type { BotDeps } from './ports.ts';

/**
 * `branch_protection_rule` events, which arrive only if the operator granted `administration: read` and subscribed the
 * App to them. The handler sends no request: it stores that the background checks ask GitHub about the repository again.
 */
export function onBranchProtectionRule(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on('branch_protection_rule', ({ payload }) =>
    deps.repositoryChecks.markDue({ repoId: payload.repository.id }),
  );
}

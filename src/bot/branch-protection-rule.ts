import type { Probot } from 'probot';
import { recheckRepository } from '../organizations/check-repositories.ts';
import { RULE_KINDS } from '../organizations/protection/watch.ts';
import { notedIn } from './noted.ts';
import type { BotDeps } from './ports.ts';

/**
 * `branch_protection_rule` and `branch_protection_configuration` events, which arrive only if the operator granted
 * `administration: read` and subscribed the App to them. They may be old, so the handler asks GitHub what is so now.
 */
export function onBranchProtectionRule(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on(['branch_protection_rule', 'branch_protection_configuration'], ({ payload }) =>
    recheckRepository(deps, payload.repository.id, notedIn(deps, payload, RULE_KINDS)),
  );
}

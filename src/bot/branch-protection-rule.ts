import type { Context, Probot } from 'probot';
import { recheckRepository } from '../organizations/check-repositories.ts';
import { ABOUT_BRANCH_PROTECTION } from '../organizations/protection/compare.ts';
import type { MomentKind } from '../organizations/protection/ports.ts';
import { RULE_KINDS } from '../organizations/protection/watch.ts';
import { notedIn, withWeakened } from './noted.ts';
import type { BotDeps } from './ports.ts';

/**
 * `branch_protection_rule` and `branch_protection_configuration` events, which arrive only if the operator granted
 * `administration: read` and subscribed the App to them. They may be old, so the handler asks GitHub what is so now.
 */
export function onBranchProtectionRule(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on(['branch_protection_rule', 'branch_protection_configuration'], ({ payload, id }) => {
    const { repository } = payload;
    const pattern = 'rule' in payload ? payload.rule.name : repository.default_branch;
    // Only a rule of the default branch is watched, and a pattern may cover it.
    const isWatched = pattern === repository.default_branch || /[*?[]/.test(pattern);
    const noted = isWatched ? notedIn(deps, payload, RULE_KINDS, ABOUT_BRANCH_PROTECTION) : null;
    const weakened = pattern === repository.default_branch ? weakenedIn(payload) : undefined;
    return recheckRepository(deps, repository.id, withWeakened(noted, weakened, id));
  });
}

type Payload = Context<'branch_protection_rule' | 'branch_protection_configuration'>['payload'];

/** Whether branch protection was removed, no longer required checks or pull requests, or didn't bind administrators any more. */
function weakenedIn(payload: Payload): MomentKind | undefined {
  if (payload.action === 'deleted' || payload.action === 'disabled') return 'protectionRemoved';
  if (payload.action !== 'edited') return undefined;
  const { rule, changes = {} } = payload;
  const wasOn = (level: { from: string } | undefined) => level !== undefined && level.from !== 'off';
  const { admin_enforced, pull_request_reviews_enforcement_level: pulls } = changes;
  const { required_status_checks_enforcement_level: checks } = changes;
  if (wasOn(checks) && rule.required_status_checks_enforcement_level === 'off') return 'checkNotRequired';
  if (wasOn(pulls) && rule.pull_request_reviews_enforcement_level === 'off') return 'pullRequestNotRequired';
  return admin_enforced?.from === true ? 'administratorsFree' : undefined;
}

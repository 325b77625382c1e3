import type { Probot } from 'probot';
import { recheckRepository } from '../organizations/check-repositories.ts';
import { ABOUT_BRANCH_PROTECTION } from '../organizations/protection/compare.ts';
import { RULE_KINDS } from '../organizations/protection/watch.ts';
import { notedIn } from './noted.ts';
import type { BotDeps } from './ports.ts';

/**
 * `branch_protection_rule` and `branch_protection_configuration` events, which arrive only if the operator granted
 * `administration: read` and subscribed the App to them. They may be old, so the handler asks GitHub what is so now.
 */
export function onBranchProtectionRule(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on(['branch_protection_rule', 'branch_protection_configuration'], ({ payload }) => {
    const { repository } = payload;
    const pattern = 'rule' in payload ? payload.rule.name : repository.default_branch;
    // Only a rule of the default branch is watched, and a pattern may cover it.
    const isWatched = pattern === repository.default_branch || /[*?[]/.test(pattern);
    const noted = isWatched ? notedIn(deps, payload, RULE_KINDS, ABOUT_BRANCH_PROTECTION) : null;
    return recheckRepository(deps, repository.id, noted);
  });
}

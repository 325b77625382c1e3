import type { Rule } from '../contract/policy.ts';
import type { PullFacts, RuledPull } from './facts.ts';
import { everyAuthorMatches, someAuthorMatches } from './match-authors.ts';
import { isAbout } from './needed-facts.ts';
import { both, isTrue, type Ternary } from './ternary.ts';

/**
 * Whether a rule applies to a pull request. A rule that asks for approvals
 * applies if a part of the pull request matches, and maybe if that isn't known.
 * One that asks for none applies only if all of it is known to match.
 */
export function applies(rule: Rule, pull: RuledPull, facts: PullFacts): Ternary {
  const about = isAbout(rule, pull);
  if (about === 'no') return 'no';
  const { authors, paths } = rule.when;
  const files = paths ? (facts.files.get(rule.name) ?? 'maybe') : 'yes';
  if (rule.require.approvals === 0)
    return isTrue(about === 'yes' && everyAuthorMatches(authors, pull, facts) && files === 'yes');
  return both(about, both(someAuthorMatches(authors, pull, facts), files));
}

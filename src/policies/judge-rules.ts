import type { Rule } from '../contract/policy.ts';
import { applyingRules } from './applying-rules.ts';
import { approvalFault } from './assurance.ts';
import { obstacleTo } from './counts.ts';
import { unknownToExclude } from './excluded.ts';
import type { PullFacts, RuledPull } from './facts.ts';
import type { GivenApproval, Grounds, JudgedRule } from './judged-rule.ts';
import { missingSentence } from './missing-sentence.ts';
import { judgeSeed } from './seed.ts';

/**
 * Judges each rule that applies to a pull request or may apply, after the seed
 * if that is asked for.
 *
 * @param approvals The valid approvals of the pull request's head. Of a person's approvals, the first that counts is counted.
 */
export function judgeRules<A extends GivenApproval>(
  pull: RuledPull,
  approvals: A[],
  grounds: Grounds,
): JudgedRule<A>[] {
  const { policy, facts, hasRoots } = grounds;
  const assured = approvals.filter((approval) => !approvalFault(policy.assurance, approval, hasRoots));
  const { rules, hasSeed } = applyingRules(pull, grounds);
  const judged = rules.map((one) => judgeRule(one, assured, { pull, facts }));
  return hasSeed ? [judgeSeed(assured, policy.assurance, facts), ...judged] : judged;
}

function judgeRule<A extends GivenApproval>(
  { rule, isCertain }: { rule: Rule; isCertain: boolean },
  assured: A[],
  about: { pull: RuledPull; facts: PullFacts },
): JudgedRule<A> {
  const { name, enforced, require } = rule;
  const unknown = require.approvals === 0 ? [] : unknownToExclude(rule, about.pull, about.facts);
  const approvals = require.approvals + (unknown.length > 0 ? 1 : 0);
  const counting = assured.filter((approval) => obstacleTo(rule, approval, about) === null);
  const counted = oneOfEach(counting).slice(0, approvals);
  const lacking = approvals - counted.length;
  const missing = lacking === 0 ? '' : missingSentence(rule, { lacking, unknown, isCertain });
  return { name, enforced, met: lacking === 0, approvals, counted, missing };
}

/** The first approval of each person. */
function oneOfEach<A extends GivenApproval>(approvals: A[]): A[] {
  const byPerson = new Map<number, A>();
  for (const approval of approvals)
    if (!byPerson.has(approval.githubId)) byPerson.set(approval.githubId, approval);
  return [...byPerson.values()];
}

import { authenticatorTypes } from '../contract/authenticator-kinds.ts';
import type { Assurance } from '../contract/policy.ts';
import type { PullFacts } from './facts.ts';
import type { GivenApproval, JudgedRule } from './judged-rule.ts';
import { missingForSeed } from './missing-sentence.ts';

/** What a pull request needs if no enforced rule is known to apply: one approval of a member. */
export function judgeSeed<A extends GivenApproval>(
  assured: A[],
  assurance: Assurance,
  facts: PullFacts,
): JudgedRule<A> {
  const counted = assured.filter((approval) => isMembers(approval, facts)).slice(0, 1);
  const isLimited = assurance.methods.length < authenticatorTypes.length;
  const met = counted.length > 0;
  return {
    name: '',
    enforced: true,
    met,
    approvals: 1,
    counted,
    missing: met ? '' : missingForSeed(assurance, isLimited),
  };
}

/** Whether the person was a member when they approved, or is one now. */
export const isMembers = (
  { githubId, fromOutside }: Pick<GivenApproval, 'githubId' | 'fromOutside'>,
  { people }: PullFacts,
): boolean => !fromOutside || people.some((person) => person.githubId === githubId && person.role !== null);

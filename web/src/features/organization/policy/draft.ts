import type { Policy, Rule } from '../../../../../src/contract/policy.ts';

/** Changes that aren't saved yet, and the policy that they began from. */
export type Draft = { base: Policy; policy: Policy };

/** Reads a draft of this tab; null if it isn't one. */
export function readDraft(stored: unknown): Draft | null {
  const { base, policy } = (stored ?? {}) as Partial<Draft>;
  return isPolicy(base) && isPolicy(policy) ? { base, policy } : null;
}

const isPolicy = (value: unknown): value is Policy => {
  const { version, enrolment, assurance, agents, rules } = (value ?? {}) as Partial<Policy>;
  return version === 1 && Boolean(enrolment && assurance && agents) && Array.isArray(rules);
};

/** Tells whether two policies are the same, as the server sends them. */
export const isSamePolicy = (one: Policy, other: Policy) => JSON.stringify(one) === JSON.stringify(other);

/** Returns the policy as it goes over the wire: without the parts that are undefined. */
export const asSent = (policy: Policy): Policy => JSON.parse(JSON.stringify(policy)) as Policy;

/** A rule to begin with, only reported: one approval, but not of the person who opened or asked for the pull request. */
export function newRule(taken: string[]): Rule {
  let number = taken.length + 1;
  while (taken.includes(`Rule ${number}`)) number += 1;
  return {
    name: `Rule ${number}`,
    enforced: false,
    when: { authors: 'anyone' },
    require: {
      approvals: 1,
      from: ['members'],
      notBy: ['author', 'initiator'],
      userVerification: 'preferred',
    },
  };
}

import type { Policy } from '../contract/policy.ts';
import type { Approver } from './counts.ts';
import type { PullFacts } from './facts.ts';

/** An approval, as rules see it. */
export type GivenApproval = Approver & { id: string };

/** What a rule says about a pull request. */
export type JudgedRule<A = GivenApproval> = {
  /** Empty for the seed: the one approval of a member that a pull request needs if no enforced rule applies to it. */
  name: string;
  enforced: boolean;
  met: boolean;
  /** How many different people it asks for. */
  approvals: number;
  /** Of the approvals that count for it, one of each person, at most as many as it asks for. */
  counted: A[];
  /** One sentence in plain text, with nothing in it that a stranger chose; empty if it's met. */
  missing: string;
};

/** What rules are judged by. `hasRoots`: whether the operator trusts attestation roots. */
export type Grounds = { policy: Policy; facts: PullFacts; hasRoots: boolean };

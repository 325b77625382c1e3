import type { Effects } from '../audit/ports.ts';
import type { Policy } from '../contract/policy.ts';
import type { PolicyStatement } from '../contract/statement.ts';
import type { Organization } from '../organizations/ports.ts';

/**
 * A policy as it is stored. `number` counts an organization's policies from 1; it is 0 while none was set. `by` is the
 * login of the owner who set it; absent if none did, and empty if their data was erased.
 */
export type StoredPolicy = { policy: Policy; number: number; by?: string };

export type Policies = {
  /**
   * The policy in force, by GitHub's id of the account: the default one while none was set, and one that
   * nobody can meet if OTP Guard didn't write the newest record.
   */
  inForce(orgId: number): Promise<StoredPolicy>;
  /**
   * Puts a policy in force and stores the effects, in one step. False if another one was stored after
   * number `replaces`: then nothing is changed.
   */
  save(
    org: Organization,
    change: {
      policy: Policy;
      replaces: number;
      by: { userId: string; login: string };
      /** The owner's signed statement, the assertion and its key; null for a one-time code. */
      signed: { statement: PolicyStatement; assertion: unknown; publicKey: string } | null;
    },
    effects: Effects,
  ): Promise<boolean>;
};

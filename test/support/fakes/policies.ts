import type { Effects } from '../../../src/audit/ports.ts';
import { DEFAULT_POLICY, type Policy } from '../../../src/contract/policy.ts';
import type { Policies, StoredPolicy } from '../../../src/policies/ports.ts';
import { Fake } from './stage.ts';

/** The same policies for every organization that has set none: `policy` can be changed by a test. */
export class FakePolicies extends Fake implements Policies {
  policy: Policy = DEFAULT_POLICY;
  readonly saved: { policy: Policy; effects: Effects }[] = [];
  #number = 0;
  async inForce(_ownerId?: number): Promise<StoredPolicy> {
    return { policy: this.policy, number: this.#number };
  }
  async save(_org: unknown, { policy, replaces }: { policy: Policy; replaces: number }, effects: Effects) {
    if (replaces !== this.#number) return false;
    this.policy = policy;
    this.#number += 1;
    this.saved.push({ policy, effects });
    return true;
  }
}

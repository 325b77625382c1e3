import type { PullChanges, PullRequest, Teams } from '../../../src/approvals/ports.ts';
import type { Effects } from '../../../src/audit/ports.ts';
import type { ListedFile } from '../../../src/contract/approvals.ts';
import { DEFAULT_POLICY } from '../../../src/contract/default-policy.ts';
import type { Policy } from '../../../src/contract/policy.ts';
import type { ChangedFiles, KnownPeople, PullCommits } from '../../../src/policies/details.ts';
import type { Policies, StoredPolicy } from '../../../src/policies/ports.ts';
import { Fake } from './stage.ts';

/** The same policies for every organization that has set none: `policy` can be changed by a test. */
export class FakePolicies extends Fake implements Policies {
  policy: Policy = DEFAULT_POLICY;
  readonly saved: { policy: Policy; effects: Effects }[] = [];
  /** The login of the owner who set it. */
  by?: string;
  #number = 0;
  async inForce(_ownerId?: number): Promise<StoredPolicy> {
    return { policy: this.policy, number: this.#number, ...(this.by !== undefined && { by: this.by }) };
  }
  async save(_org: unknown, { policy, replaces }: { policy: Policy; replaces: number }, effects: Effects) {
    if (replaces !== this.#number) return false;
    this.policy = policy;
    this.#number += 1;
    this.saved.push({ policy, effects });
    return true;
  }
}

/** The files that every pull request changes, and their authors. */
export class FakePullChanges extends Fake implements PullChanges {
  changed: ChangedFiles = { paths: ['src/app.ts'], isComplete: true };
  committed: PullCommits = {
    people: [{ id: 2, login: 'mona', isMachine: false }],
    areAllKnown: true,
    areAllVerified: true,
    commits: [],
    isComplete: true,
  };
  /** Null if GitHub can't list them. */
  listed: ListedFile[] | null = [];
  async files() {
    return this.changed;
  }
  async list() {
    const files = this.listed;
    return files && { files, isOf: ({ size }: Pick<PullRequest, 'size'>) => size?.files === files.length };
  }
  async commits() {
    return this.committed;
  }
  requested: KnownPeople = { people: [], areAllKnown: true };
  async requesters() {
    return this.requested;
  }
  approved: KnownPeople = { people: [], areAllKnown: true };
  async approvers() {
    return this.approved;
  }
}

/** The GitHub ids of each team's people; a team that isn't there can't be read. */
export class FakeTeams extends Fake implements Teams {
  readonly people = new Map<string, number[]>();
  async has(_repo: unknown, team: string, { githubId }: { githubId: number }) {
    return this.people.get(team)?.includes(githubId) ?? null;
  }
}

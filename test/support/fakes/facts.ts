import type { PullChanges, Teams } from '../../../src/approvals/ports.ts';
import type { ChangedFiles, PullCommits } from '../../../src/policies/facts.ts';
import { Fake } from './stage.ts';

/** What every pull request changes, and who wrote it. */
export class FakePullChanges extends Fake implements PullChanges {
  changed: ChangedFiles = { paths: ['src/app.ts'], isComplete: true };
  committed: PullCommits = {
    people: [{ id: 2, login: 'mona', isMachine: false }],
    areAllKnown: true,
    areAllVerified: true,
    isComplete: true,
  };
  async files() {
    return this.changed;
  }
  async commits() {
    return this.committed;
  }
}

/** The GitHub ids of each team's people; a team that isn't there can't be read. */
export class FakeTeams extends Fake implements Teams {
  readonly people = new Map<string, number[]>();
  async has(_at: unknown, team: string, { githubId }: { githubId: number }) {
    return this.people.get(team)?.includes(githubId) ?? null;
  }
}

import type { Installation } from '../../../src/accounts/ports.ts';
import type {
  Approval,
  Approvals,
  CheckRunContent,
  CheckRuns,
  GitHubRepository,
  Installations,
  NewApproval,
  OpenPull,
  OpenPulls,
  PullRequest,
  PullRequests,
  RepositoryRef,
  RunRecord,
  Runs,
} from '../../../src/approvals/ports.ts';
import type { FakeOrganizations } from './accounts.ts';
import { PERMISSIONS } from './examples.ts';
import { Fake, recordId, type Stage, TimedFake } from './stage.ts';

/** The record of who made which head's run; a head and an attempt exist once. */
export class FakeRuns extends TimedFake implements Runs {
  readonly records: (RunRecord & { repoId: number; head: string })[] = [];
  latest(repoId: number, head: string) {
    return this.stage.play('runs.latest', () => {
      const all = this.records.filter((run) => run.repoId === repoId && run.head === head);
      const newest = all.sort((one, other) => other.attempt - one.attempt)[0];
      return newest ? { ...newest } : null;
    });
  }
  claim(repoId: number, head: string, attempt: number) {
    return this.stage.play('runs.claim', () => {
      const isTaken = this.records.some(
        (run) => run.repoId === repoId && run.head === head && run.attempt === attempt,
      );
      if (isTaken) return null;
      const run = {
        id: recordId(),
        attempt,
        checkRunId: 0,
        state: '',
        since: this.clock.now(),
        repoId,
        head,
      };
      this.records.push(run);
      return { ...run };
    });
  }
  save(record: RunRecord, checkRunId: number, state: string) {
    return this.stage.play('runs.save', () => {
      const run = this.records.find(({ id }) => id === record.id);
      if (!run) throw new Error('no such run record');
      Object.assign(run, { checkRunId, state, since: this.clock.now() });
    });
  }
}

/**
 * GitHub's check runs of our App. A completed run stays completed whatever it is
 * told, as GitHub may keep it; the newest run of a head is the one that counts.
 */
export class FakeCheckRuns extends Fake implements CheckRuns {
  readonly made: { id: number; head: string; content: CheckRunContent }[] = [];
  readonly #changed = new Map<number, { status: string; conclusion: string | null }>();
  /** No id comes twice, also where a run is lost. */
  #nextId = 1000;
  create(_repo: RepositoryRef, head: string, content: CheckRunContent) {
    return this.stage.play('checkRuns.create', () => {
      const id = this.#nextId;
      this.#nextId += 1;
      this.made.push({ id, head, content });
      return id;
    });
  }
  update(_repo: RepositoryRef, id: number, content: CheckRunContent) {
    return this.stage.play('checkRuns.update', () => {
      const run = this.made.find((made) => made.id === id);
      if (!run) return false;
      const isKept = run.content.status === 'completed' && content.status !== 'completed';
      if (!isKept) run.content = content;
      if (!isKept) this.#changed.delete(id);
      return !isKept;
    });
  }
  find(_repo: RepositoryRef, head: string) {
    return this.stage.play('checkRuns.find', () => {
      const run = this.shown(head);
      if (!run) return null;
      const { status, conclusion = null } = run.content;
      return { id: run.id, status, conclusion, ...this.#changed.get(run.id) };
    });
  }
  /** What happened to a run at GitHub: somebody asked for a re-run, or it went stale. */
  change(id: number, to: { status: string; conclusion: string | null }): void {
    this.#changed.set(id, to);
  }
  /** The run that GitHub shows for a head, and asks for before a merge. */
  shown(head: string) {
    return this.made.findLast((run) => run.head === head);
  }
  /** GitHub deletes no run by itself; an operator's support request can. */
  lose(id: number): void {
    const at = this.made.findIndex((run) => run.id === id);
    if (at >= 0) this.made.splice(at, 1);
  }
}

/** GitHub's pull requests; null where the installation sees no repository. A list is of one repository, by its name. */
export class FakePullRequests extends Fake implements PullRequests {
  all: PullRequest[] | null = [];
  get(_repo: RepositoryRef, number: number) {
    return this.stage.play('pulls.get', () => this.all?.find((pull) => pull.number === number) ?? null);
  }
  listOpen({ name }: RepositoryRef) {
    return this.stage.play(
      'pulls.listOpen',
      () =>
        this.all
          ?.filter(({ open, repo }) => open && repo.name.toLowerCase() === name.toLowerCase())
          .map((pull) => structuredClone(pull)) ?? null,
    );
  }
}

export class FakeApprovals extends TimedFake implements Approvals {
  readonly stored: (Approval & { of: NewApproval | null })[] = [];
  add(approval: NewApproval) {
    return this.stage.play('approvals.add', () => {
      const { repo, pr, base, head, method, userVerified, user } = approval;
      const isThere = this.stored.some(
        (one) =>
          one.repoId === repo.id &&
          one.pr === pr &&
          one.base === base &&
          one.head === head &&
          one.login === user.login,
      );
      if (isThere) return;
      const { org } = approval;
      const orgId = org.id;
      this.put({ orgId, repoId: repo.id, pr, base, head, login: user.login, method, userVerified }, approval);
    });
  }
  /** An approval as if it had been stored before. */
  put(approval: Omit<Approval, 'id' | 'at' | 'reported'>, of: NewApproval | null = null): void {
    this.stored.push({ ...approval, id: recordId(), at: this.clock.now(), reported: false, of });
  }
  ofHead(repoId: number, head: string) {
    return this.stage.play('approvals.ofHead', () =>
      this.stored.filter((one) => one.repoId === repoId && one.head === head).map((one) => ({ ...one })),
    );
  }
  previousHead(repoId: number, pr: number, head: string) {
    return this.stage.play(
      'approvals.previousHead',
      () =>
        this.stored.findLast((one) => one.repoId === repoId && one.pr === pr && one.head !== head)?.head ??
        null,
    );
  }
  unreported() {
    return this.stage.play('approvals.unreported', () =>
      this.stored
        .filter(({ reported }) => !reported)
        .map(({ repoId, head, of }) => ({
          repo: of?.repo ?? { installation: 1, owner: 'octo-org', name: 'hello' },
          repoId,
          head,
        })),
    );
  }
  reported(approvals: Approval[]) {
    return this.stage.play('approvals.reported', () => {
      const ids = new Set(approvals.map(({ id }) => id));
      for (const one of this.stored) if (ids.has(one.id)) one.reported = true;
    });
  }
}

/** An installation with the repositories that it was given. */
type Installed = Installation & { repositories: GitHubRepository[] };

export class FakeInstallations extends Fake implements Installations {
  readonly all: Installed[] = [];
  get(id: number) {
    return this.stage.play('installations.get', () => this.all.find((one) => one.id === id) ?? null);
  }
  list() {
    return this.stage.play('installations.list', () => [...this.all]);
  }
  repositories(id: number) {
    return this.stage.play(
      'installations.repositories',
      () => this.all.find((one) => one.id === id)?.repositories ?? [],
    );
  }
  /** What the App asks for. */
  wanted: Record<string, string> = { ...PERMISSIONS };
  requested() {
    return this.stage.play('installations.requested', () => ({ ...this.wanted }));
  }
}

type NotedPull = OpenPull & { orgId: number; since: Date; compared?: Date };

/** What waits, for those who want to see it; an organization that is not recorded has nothing noted. */
export class FakeOpenPulls extends Fake implements OpenPulls {
  readonly noted: NotedPull[] = [];
  readonly #organizations: FakeOrganizations;
  constructor(stage: Stage, organizations: FakeOrganizations) {
    super(stage);
    this.#organizations = organizations;
  }
  note(orgId: number, pulls: OpenPull[], now: Date) {
    return this.stage.play('openPulls.note', () => {
      if (!this.#organizations.stored.some((org) => org.orgId === orgId)) return;
      for (const pull of pulls) {
        const known = this.noted.find(({ repoId, pr }) => repoId === pull.repoId && pr === pull.pr);
        const since = known?.head === pull.head ? known.since : now;
        if (known) Object.assign(known, pull, { orgId, since });
        else this.noted.push({ ...pull, orgId, since });
      }
    });
  }
  notAmong(repoId: number, open: number[]) {
    return this.stage.play('openPulls.notAmong', () =>
      this.noted.filter((pull) => pull.repoId === repoId && !open.includes(pull.pr)).map(({ pr }) => pr),
    );
  }
  withHead(repoId: number, head: string) {
    return this.stage.play('openPulls.withHead', () =>
      this.noted.filter((pull) => pull.repoId === repoId && pull.head === head).map(({ pr }) => pr),
    );
  }
  forget(repoId: number, number: number) {
    return this.stage.play('openPulls.forget', () =>
      this.#forget(({ repoId: of, pr }) => of === repoId && pr === number),
    );
  }
  forgetRepository(repoId: number) {
    return this.stage.play('openPulls.forgetRepository', () =>
      this.#forget((pull) => pull.repoId === repoId),
    );
  }
  keepRepositories(orgId: number, repoIds: number[]) {
    return this.stage.play(
      'openPulls.keepRepositories',
      () => void this.#forget((pull) => pull.orgId === orgId && !repoIds.includes(pull.repoId)),
    );
  }
  waiting(orgRecordId: string, most: number) {
    return this.stage.play('openPulls.waiting', () => {
      const org = this.#organizations.stored.find(({ id }) => id === orgRecordId);
      const all = this.noted
        .filter(({ orgId, approved }) => orgId === org?.orgId && !approved)
        .sort((one, other) => one.since.getTime() - other.since.getTime());
      return { total: all.length, pulls: all.slice(0, most).map((pull) => ({ ...pull })) };
    });
  }
  toCompare(most: number, now: Date) {
    return this.stage.play('openPulls.toCompare', () => {
      const longestAgo = this.noted
        .toSorted((one, other) => (one.compared?.getTime() ?? 0) - (other.compared?.getTime() ?? 0))
        .slice(0, most);
      return longestAgo.flatMap((pull) => {
        pull.compared = now;
        const org = this.#organizations.stored.find(({ orgId }) => orgId === pull.orgId);
        if (!org) return [];
        const repo = { installation: org.installationId, owner: org.name, name: pull.repoName };
        return [{ repo, repoId: pull.repoId, head: pull.head }];
      });
    });
  }
  #forget(isGone: (pull: NotedPull) => boolean): void {
    this.noted.splice(0, this.noted.length, ...this.noted.filter((pull) => !isGone(pull)));
  }
}

import type {
  Approval,
  Approvals,
  CheckRunContent,
  CheckRunRecord,
  CheckRunRecords,
  CheckRuns,
  GitHubRun,
  ListedPull,
  NewApproval,
  OpenHeads,
  OpenPull,
  OpenPulls,
  PullRequest,
  PullRequests,
  RunState,
  WithdrawnApproval,
  WritePriority,
} from '../../../src/approvals/ports.ts';
import type { Checkpoint, Effects, NewActivity } from '../../../src/audit/ports.ts';
import type { LostAuthenticator } from '../../../src/authenticators/ports.ts';
import type {
  GitHubRepository,
  Installation,
  Installations,
  PullSearch,
  Registration,
  RepositoryRef,
} from '../../../src/organizations/ports.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { PERMISSIONS } from './examples.ts';
import type { FakeOrganizations } from './organizations.ts';
import { Fake, recordId, type Stage, TimedFake } from './stage.ts';

/** Check run records; a head's attempt exists once. */
export class FakeCheckRunRecords extends TimedFake implements CheckRunRecords {
  readonly records: (CheckRunRecord & { repoId: number; head: string })[] = [];
  latest(repoId: number, head: string) {
    return this.stage.play('checkRunRecords.latest', () => {
      const all = this.records.filter((run) => run.repoId === repoId && run.head === head);
      const newest = all.sort((one, other) => other.attempt - one.attempt)[0];
      return newest ? { ...newest } : null;
    });
  }
  attempts(repoId: number, head: string) {
    return this.stage.play('checkRunRecords.attempts', () =>
      this.records.filter((run) => run.repoId === repoId && run.head === head).map((run) => ({ ...run })),
    );
  }
  claim(repoId: number, head: string, attempt: number) {
    return this.stage.play('checkRunRecords.claim', () => {
      const isTaken = this.records.some(
        (run) => run.repoId === repoId && run.head === head && run.attempt === attempt,
      );
      if (isTaken) return null;
      const run = {
        id: recordId(),
        attempt,
        checkRunId: 0,
        phase: 'creating' as const,
        fingerprint: '',
        mayBeGreen: false,
        since: this.clock.now(),
        repoId,
        head,
      };
      this.records.push(run);
      return { ...run };
    });
  }
  save({ id }: CheckRunRecord, checkRunId: number, state: RunState) {
    return this.stage.play('checkRunRecords.save', () => {
      const run = this.records.find((one) => one.id === id);
      if (!run) throw new Error('no such run record');
      Object.assign(run, { checkRunId, ...state, since: this.clock.now() });
    });
  }
}

/**
 * GitHub's check runs of our App. A completed run stays completed, as GitHub may
 * keep it; the newest run of a head counts.
 */
export class FakeCheckRuns extends Fake implements CheckRuns {
  readonly created: { id: number; head: string; content: CheckRunContent }[] = [];
  readonly #changed = new Map<number, { status: string; conclusion: string | null }>();
  /** An id is never used twice, even if its run was lost. */
  #nextId = 1000;
  create(_repo: RepositoryRef, head: string, content: CheckRunContent, _priority?: WritePriority) {
    return this.stage.play('checkRuns.create', () => {
      const id = this.#nextId;
      this.#nextId += 1;
      this.created.push({ id, head, content });
      return id;
    });
  }
  update(
    _repo: RepositoryRef,
    id: number,
    content: CheckRunContent,
    _priority?: WritePriority,
    withinMs = Number.POSITIVE_INFINITY,
  ) {
    return this.stage.play('checkRuns.update', () => {
      if (withinMs <= 0) throw new AppError('githubUnavailable');
      const run = this.created.find((created) => created.id === id);
      if (!run) return false;
      const isKept = run.content.status === 'completed' && content.status !== 'completed';
      if (!isKept) run.content = content;
      if (!isKept) this.#changed.delete(id);
      return !isKept;
    });
  }
  findNewest(_repo: RepositoryRef, head: string) {
    return this.stage.play('checkRuns.findNewest', () => this.newest(head));
  }
  newest(head: string): GitHubRun | null {
    const run = this.shown(head);
    if (!run) return null;
    const { status, conclusion = null, detailsUrl } = run.content;
    return { id: run.id, status, conclusion, detailsUrl, ...this.#changed.get(run.id) };
  }
  /** What happened to a run at GitHub: somebody asked for a re-run, or it went stale. */
  change(id: number, to: { status: string; conclusion: string | null }): void {
    this.#changed.set(id, to);
  }
  /** The run that GitHub shows for a head, and asks for before a merge. */
  shown(head: string) {
    return this.created.findLast((run) => run.head === head);
  }
  /** GitHub deletes no run by itself; an operator's support request can. */
  lose(id: number): void {
    const at = this.created.findIndex((run) => run.id === id);
    if (at >= 0) this.created.splice(at, 1);
  }
}

/** GitHub's pull requests; null if the installation can't see the repository. Lists are by the repository's name. */
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
  /** When pull requests were opened and updated, by their numbers; 1970 by default. */
  readonly times = new Map<number, Date>();
  async listRecentlyUpdated({ name }: RepositoryRef) {
    return this.stage.play('pulls.listRecentlyUpdated', () => this.listed(name));
  }
  /** By the repository's name. */
  readonly merges = new Map<string, string>();
  findMerge({ name }: RepositoryRef, _base: string) {
    return this.stage.play('pulls.findMerge', () => this.merges.get(name) ?? null);
  }
  listed(name: string): ListedPull[] | null {
    const pulls = this.all?.filter(({ open, repo }) => open && repo.name === name);
    return (
      pulls?.map((pull) => {
        const at = this.times.get(pull.number) ?? new Date(0);
        return { ...structuredClone(pull), createdAt: at, updatedAt: at };
      }) ?? null
    );
  }
}

/** What one GraphQL query shows: the other fakes' pull requests and runs. */
export class FakeOpenHeads extends Fake implements OpenHeads {
  readonly #pulls: FakePullRequests;
  readonly #runs: FakeCheckRuns;
  constructor(stage: Stage, pulls: FakePullRequests, runs: FakeCheckRuns) {
    super(stage);
    this.#pulls = pulls;
    this.#runs = runs;
  }
  read({ name }: RepositoryRef) {
    return this.stage.play('openHeads.read', () => {
      const pulls = this.#pulls.listed(name);
      return pulls && { pulls, runs: new Map(pulls.map(({ head }) => [head, this.#runs.newest(head)])) };
    });
  }
}

/** The newest checkpoint of every organization's log; null while it's empty. */
export class FakeCheckpoints extends Fake {
  checkpoint: Checkpoint | null = null;
  newestOf(_installation: number) {
    return this.stage.play('checkpoints.newestOf', () => this.checkpoint);
  }
}

export class FakeApprovals extends TimedFake implements Approvals {
  readonly stored: (Approval & { of: NewApproval | null; withdrawn?: 'unreported' | 'reported' })[] = [];
  /** The effects of each withdrawal. */
  readonly withdrawals: Effects[] = [];
  /** The log entries that came with the approvals. */
  readonly activities: NewActivity[] = [];
  add(approval: NewApproval, activity: NewActivity) {
    return this.stage.play('approvals.add', () => {
      const { repo, pr, base, head, method, userVerified, aaguid, modelVerified, fromOutside, user } =
        approval;
      const key = { deviceBound: method !== 'totp', aaguid, modelVerified, fromOutside };
      const isThere = this.stored.some(
        (one) =>
          one.repoId === repo.id &&
          one.pr === pr &&
          one.base === base &&
          one.head === head &&
          one.login === user.login &&
          (one.of === null || one.of.authenticator === approval.authenticator) &&
          one.userVerified === userVerified &&
          one.fromOutside === fromOutside &&
          !one.withdrawn,
      );
      if (isThere) return;
      const { org } = approval;
      const { id: githubId, login } = user;
      this.activities.push(activity);
      this.put(
        { orgId: org.id, repoId: repo.id, pr, base, head, githubId, login, method, userVerified, ...key },
        approval,
      );
    });
  }
  /** An approval as if it had been stored before. */
  put(approval: Omit<Approval, 'id' | 'at' | 'reported'>, of: NewApproval | null = null): Approval {
    const stored = { ...approval, id: recordId(), at: this.clock.now(), reported: false };
    this.stored.push({ ...stored, of });
    return stored;
  }
  forHead(repoId: number, head: string) {
    return this.stage.play('approvals.forHead', () =>
      this.#valid((one) => one.repoId === repoId && one.head === head),
    );
  }
  historyOf(repoId: number, head: string) {
    return this.stage.play('approvals.historyOf', () => {
      const withdrawn = this.stored.filter(
        (one) => one.repoId === repoId && one.head === head && one.withdrawn,
      );
      return {
        valid: this.#valid((one) => one.repoId === repoId && one.head === head),
        withdrawn: withdrawn.map(({ id, pr, withdrawn }) => ({ id, pr, reported: withdrawn === 'reported' })),
      };
    });
  }
  ofPerson({ orgId, githubId, head }: { orgId: number; githubId: number; head: string }) {
    return this.stage.play('approvals.ofPerson', () =>
      this.#located((one) => one.orgId === orgId && one.githubId === githubId && one.head === head),
    );
  }
  madeWith({ id, holder, org, since }: LostAuthenticator) {
    return this.stage.play('approvals.madeWith', () =>
      this.#located(
        (one) =>
          one.orgId === org.id &&
          one.githubId === holder.githubId &&
          one.of?.authenticator === id &&
          one.at >= since,
      ),
    );
  }
  withdraw({ id }: Approval, effects: Effects) {
    return this.stage.play('approvals.withdraw', () => {
      const found = this.stored.find((one) => one.id === id);
      if (!found || found.withdrawn) return false;
      found.withdrawn = 'unreported';
      this.withdrawals.push(effects);
      return true;
    });
  }
  markWithdrawalsReported(withdrawn: WithdrawnApproval[]) {
    return this.stage.play('approvals.markWithdrawalsReported', () => {
      for (const { id } of withdrawn)
        for (const one of this.stored) if (one.id === id) one.withdrawn = 'reported';
    });
  }
  #valid(matches: (one: Approval & { of: NewApproval | null }) => boolean) {
    return this.stored.filter((one) => !one.withdrawn && matches(one)).map((one) => ({ ...one }));
  }
  #located(matches: (one: Approval & { of: NewApproval | null }) => boolean) {
    return this.#valid(matches).map((one) => ({
      ...one,
      repo: one.of?.repo ?? { installation: 1, owner: 'octo-org', name: 'hello' },
    }));
  }
  previousHead(repoId: number, pr: number, head: string) {
    return this.stage.play(
      'approvals.previousHead',
      () =>
        this.stored.findLast(
          (one) => one.repoId === repoId && one.pr === pr && one.head !== head && !one.withdrawn,
        )?.head ?? null,
    );
  }
  unreportedHeads() {
    return this.stage.play('approvals.unreportedHeads', () =>
      this.stored
        .filter(({ reported, withdrawn }) => (withdrawn ? withdrawn === 'unreported' : !reported))
        .map(({ orgId, repoId, head, of }) => ({
          repo: of?.repo ?? { installation: 1, owner: 'octo-org', name: 'hello' },
          repoId,
          head,
          orgId,
        })),
    );
  }
  markReported(approvals: Approval[]) {
    return this.stage.play('approvals.markReported', () => {
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
  suspend() {
    for (const one of this.all) one.suspended = true;
  }
  /** The permissions that the App requests. */
  wanted: Record<string, string> = { ...PERMISSIONS };
  enterpriseServer: Registration['enterpriseServer'] = null;
  registration() {
    return this.stage.play('installations.registration', () => ({
      permissions: { ...this.wanted },
      enterpriseServer: this.enterpriseServer,
    }));
  }
}

type SavedPull = OpenPull & { orgId: number; since: Date; compared?: Date };

/** Saved open pull requests; those of an unknown organization aren't saved. */
export class FakeOpenPulls extends Fake implements OpenPulls, PullSearch {
  readonly saved: SavedPull[] = [];
  readonly #organizations: FakeOrganizations;
  constructor(stage: Stage, organizations: FakeOrganizations) {
    super(stage);
    this.#organizations = organizations;
  }
  save(orgId: number, pulls: OpenPull[], now: Date) {
    return this.stage.play('openPulls.save', () => {
      if (!this.#organizations.stored.some((org) => org.orgId === orgId)) return;
      for (const pull of pulls) {
        const known = this.saved.find(({ repoId, pr }) => repoId === pull.repoId && pr === pull.pr);
        const since = known?.head === pull.head ? known.since : now;
        if (known) Object.assign(known, pull, { orgId, since });
        else this.saved.push({ ...pull, orgId, since });
      }
    });
  }
  missingFrom(repoId: number, open: number[]) {
    return this.stage.play('openPulls.missingFrom', () =>
      this.saved.filter((pull) => pull.repoId === repoId && !open.includes(pull.pr)).map(({ pr }) => pr),
    );
  }
  numbersWithHead(repoId: number, head: string) {
    return this.stage.play('openPulls.numbersWithHead', () =>
      this.saved.filter((pull) => pull.repoId === repoId && pull.head === head).map(({ pr }) => pr),
    );
  }
  repositories(by: { repoId: number } | { pr: number; head: string }, most: number) {
    return this.stage.play('openPulls.repositories', () =>
      this.saved
        .filter((pull) =>
          'repoId' in by ? pull.repoId === by.repoId : pull.pr === by.pr && pull.head === by.head,
        )
        .flatMap((pull) => {
          const org = this.#organizations.stored.find(({ orgId }) => orgId === pull.orgId);
          if (!org?.installationId) return [];
          const { installationId: installation, name: owner } = org;
          return { installation, owner, name: pull.repoName, id: pull.repoId, ownerId: pull.orgId };
        })
        .slice(0, most),
    );
  }
  ofRepository(repo: number) {
    return this.stage.play('openPulls.ofRepository', () =>
      this.saved.filter(({ repoId }) => repoId === repo).map((pull) => ({ ...pull })),
    );
  }
  greenRepositories() {
    return this.stage.play('openPulls.greenRepositories', () => {
      const green = this.saved.filter(({ approved }) => approved);
      const found = green.flatMap((pull) => {
        const org = this.#organizations.stored.find(({ orgId }) => orgId === pull.orgId);
        return org
          ? [{ id: pull.repoId, installation: org.installationId, owner: org.name, name: pull.repoName }]
          : [];
      });
      return [...new Map(found.map((repo) => [repo.id, repo])).values()].sort((a, b) => a.id - b.id);
    });
  }
  remove(repoId: number, number: number) {
    return this.stage.play('openPulls.remove', () =>
      this.#forget(({ repoId: of, pr }) => of === repoId && pr === number),
    );
  }
  removeRepository(repoId: number) {
    return this.stage.play('openPulls.removeRepository', () =>
      this.#forget((pull) => pull.repoId === repoId),
    );
  }
  removeOtherRepositories(orgId: number, repoIds: number[]) {
    return this.stage.play(
      'openPulls.removeOtherRepositories',
      () => void this.#forget((pull) => pull.orgId === orgId && !repoIds.includes(pull.repoId)),
    );
  }
  /** The first page. */
  list(orgRecordId: string, { most }: { most: number }) {
    return this.stage.play('openPulls.list', () => {
      const org = this.#organizations.stored.find(({ id }) => id === orgRecordId);
      const all = this.saved
        .filter(({ orgId, approved }) => orgId === org?.orgId && !approved)
        .sort((one, other) => one.since.getTime() - other.since.getTime());
      const pulls = all.slice(0, most).map((pull) => ({ ...pull }));
      return { total: all.length, asOf: new Date(0), pulls, next: null };
    });
  }
  takeLeastRecentlyCompared(most: number, now: Date) {
    return this.stage.play('openPulls.takeLeastRecentlyCompared', () => {
      const longestAgo = this.saved
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
  #forget(isGone: (pull: SavedPull) => boolean): void {
    this.saved.splice(0, this.saved.length, ...this.saved.filter((pull) => !isGone(pull)));
  }
}

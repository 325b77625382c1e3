import { isDeepStrictEqual } from 'node:util';
import type {
  Approval,
  Approvals,
  CheckRunRecord,
  CheckRunRecords,
  CheckRuns,
  Denial,
  DeploymentKey,
  GitHubRun,
  HeadApprovals,
  ListedPull,
  LocatedDenial,
  NewGiven,
  OpenPull,
  OpenPulls,
  PullRequest,
  PullRequests,
  RunState,
  ShownContent,
  Withdrawable,
  WritePriority,
} from '../../../src/approvals/ports.ts';
import type { OpenHeads } from '../../../src/approvals/reconcile/ports.ts';
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
import { canonical } from '../../../src/proofs/bytes.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import type { checked } from '../../../src/shared/checked.ts';
import { FakeDecisions } from './deployments.ts';
import { PERMISSIONS } from './examples.ts';
import type { FakeOrganizations } from './organizations.ts';
import { Fake, recordId, type Stage, TimedFake } from './stage.ts';

/** Check run records; a head's attempt exists once. */
export class FakeCheckRunRecords extends TimedFake implements CheckRunRecords {
  readonly records: (CheckRunRecord & { repoId: number; head: string })[] = [];
  async latest(repoId: number, head: string) {
    const all = this.records.filter((run) => run.repoId === repoId && run.head === head);
    const newest = all.sort((one, other) => other.attempt - one.attempt)[0];
    return newest ? { ...newest } : null;
  }
  async latestOf(repoId: number, heads: string[]) {
    const found = heads.flatMap((head) => {
      const all = this.records.filter((run) => run.repoId === repoId && run.head === head);
      return all.sort((one, other) => one.attempt - other.attempt).slice(-1);
    });
    return new Map(found.map((run) => [run.head, { ...run }]));
  }
  async attempts(repoId: number, head: string) {
    return this.records
      .filter((run) => run.repoId === repoId && run.head === head)
      .map((run) => ({ ...run }));
  }
  async claim(repoId: number, head: string, attempt: number) {
    const isTaken = this.records.some(
      (run) => run.repoId === repoId && run.head === head && run.attempt === attempt,
    );
    if (isTaken) return null;
    const run = {
      id: recordId(),
      attempt,
      checkRunId: null,
      phase: 'creating' as const,
      fingerprint: '',
      mayBeGreen: false,
      since: this.clock.now(),
      repoId,
      head,
    };
    this.records.push(run);
    return { ...run };
  }
  async save({ id }: CheckRunRecord, checkRunId: number | null, state: RunState) {
    const run = this.records.find((one) => one.id === id);
    if (!run) throw new Error('no such run record');
    Object.assign(run, { checkRunId, ...state, since: this.clock.now() });
  }
}

/**
 * GitHub's check runs of our App. A completed run stays completed, as GitHub may
 * keep it; the newest run of a head counts.
 */
export class FakeCheckRuns extends Fake implements CheckRuns {
  readonly created: { id: number; head: string; content: ShownContent }[] = [];
  readonly #changed = new Map<number, { status: string; conclusion: string | null }>();
  /** An id is never used twice, even if its run was lost. */
  #nextId = 1000;
  /** Which texts GitHub refuses. */
  refuses: (content: ShownContent) => boolean = () => false;
  async create(_repo: RepositoryRef, head: string, content: ShownContent, _priority?: WritePriority) {
    if (this.refuses(content)) return 'refused' as const;
    const id = this.#nextId;
    this.#nextId += 1;
    this.created.push({ id, head, content });
    return id;
  }
  async update(
    _repo: RepositoryRef,
    id: number,
    content: ShownContent,
    _priority?: WritePriority,
    withinMs = Number.POSITIVE_INFINITY,
  ) {
    if (withinMs <= 0) throw new AppError('githubUnavailable');
    if (this.refuses(content)) return 'refused' as const;
    const run = this.created.find((created) => created.id === id);
    if (!run) return false;
    const isKept = run.content.status === 'completed' && content.status !== 'completed';
    if (!isKept) run.content = content;
    if (!isKept) this.#changed.delete(id);
    return !isKept;
  }
  async findNewest(_repo: RepositoryRef, head: string) {
    return this.newest(head);
  }
  newest(head: string): GitHubRun | null {
    const run = this.shown(head);
    if (!run) return null;
    const { status, conclusion = null, detailsUrl = '' } = run.content;
    return { id: run.id, status, conclusion, detailsUrl, ...this.#changed.get(run.id) };
  }
  /** Changes a run at GitHub: a person asked for a re-run, or it went stale. */
  change(id: number, to: { status: string; conclusion: string | null }): void {
    this.#changed.set(id, to);
  }
  /** The run that GitHub shows for a head, and asks for before a merge. */
  shown(head: string) {
    return this.created.findLast((run) => run.head === head);
  }
  /** GitHub deletes no run on its own; an operator's support request can. */
  lose(id: number): void {
    const at = this.created.findIndex((run) => run.id === id);
    if (at >= 0) this.created.splice(at, 1);
  }
}

/** GitHub's pull requests; null if the installation can't see the repository. Lists are by the repository's name. */
export class FakePullRequests extends Fake implements PullRequests {
  all: PullRequest[] | null = [];
  async get(_repo: RepositoryRef, number: number) {
    return this.all?.find((pull) => pull.number === number) ?? null;
  }
  async listOpen({ name }: RepositoryRef) {
    return (
      this.all
        ?.filter(({ open, repo }) => open && repo.name.toLowerCase() === name.toLowerCase())
        .map((pull) => structuredClone(pull)) ?? null
    );
  }
  /** When pull requests were opened and updated, by their numbers; 1970 by default. */
  readonly times = new Map<number, Date>();
  async listRecentlyUpdated({ name }: RepositoryRef) {
    return this.listed(name);
  }
  /** By the repository's name. */
  readonly merges = new Map<string, string>();
  async findMerge({ name }: RepositoryRef, _base: string) {
    return this.merges.get(name) ?? null;
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

/** The answer of one GraphQL query: the other fakes' pull requests and runs. */
export class FakeOpenHeads extends Fake implements OpenHeads {
  readonly #pulls: FakePullRequests;
  readonly #runs: FakeCheckRuns;
  constructor(stage: Stage, pulls: FakePullRequests, runs: FakeCheckRuns) {
    super(stage);
    this.#pulls = pulls;
    this.#runs = runs;
  }
  /** The names of the repositories whose commits the App may not see: private ones. */
  readonly private = new Set<string>();
  async read({ name }: RepositoryRef) {
    const pulls = this.#pulls.listed(name);
    if (pulls && this.private.has(name)) return { pulls, runs: new Map<string, null>() };
    return pulls && { pulls, runs: new Map(pulls.map(({ head }) => [head, this.#runs.newest(head)])) };
  }
}

/** The newest checkpoint of every organization's log; null while it's empty. */
export class FakeAuditLog extends Fake {
  checkpoint: Checkpoint | null = null;
  async newestOf(_installation: number) {
    return this.checkpoint;
  }
  async newest(_orgRecordId: string) {
    return this.checkpoint;
  }
}

type StoredGiven = (Approval | Denial) & {
  of: NewGiven | null;
  withdrawn?: 'unreported' | 'reported';
};

const isDenial = <One extends Approval | Denial>(one: One): one is One & Denial => one.reason !== undefined;
const isApproval = <One extends Approval | Denial>(one: One): one is One & Approval => !isDenial(one);

export class FakeApprovals extends TimedFake implements Approvals {
  declare readonly [checked]: 'verified';
  readonly stored: StoredGiven[] = [];
  /** The effects of each withdrawal. */
  readonly withdrawals: Effects[] = [];
  /** The log entries that came with the approvals and denials. */
  readonly activities: NewActivity[] = [];
  /** The effects of each denial. */
  readonly denied: Effects[] = [];
  readonly decisions = new FakeDecisions(this.stage, this.clock);
  async add(given: NewGiven, effects: Effects) {
    const { statement, reason } = given;
    if (!('pr' in statement))
      return { id: this.decisions.add(given, statement, effects), checkpoint: this.#checkpoint() };
    const isKind = statement.purpose === 'deny' ? isDenial : isApproval;
    if (this.#isThere(given, statement, isKind)) return null;
    this.activities.push(effects.activity);
    if (statement.purpose === 'deny') this.denied.push(effects);
    const { pr, base, head } = statement;
    const { id: githubId, login } = given.user;
    const about = { orgId: given.org.id, repoId: given.repo.id, pr, base, head, githubId, login };
    const stored = { ...about, ...methodOf(given) };
    const { id } = reason === undefined ? this.put(stored, given) : this.put({ ...stored, reason }, given);
    return { id, checkpoint: this.#checkpoint() };
  }
  async ofDeployment(key: DeploymentKey) {
    return this.decisions.of(key);
  }
  #isThere(
    { repo, userVerified, fromOutside, user, authenticator }: NewGiven,
    { pr, base, head }: { pr: number; base: string; head: string },
    isKind: (one: StoredGiven) => boolean,
  ) {
    return this.stored.some(
      (one) =>
        isKind(one) &&
        one.repoId === repo.id &&
        one.pr === pr &&
        one.base === base &&
        one.head === head &&
        one.login === user.login &&
        (one.of === null || one.of.authenticator === authenticator) &&
        one.userVerified === userVerified &&
        one.fromOutside === fromOutside &&
        !one.withdrawn,
    );
  }
  #checkpoint(): Checkpoint {
    const size = this.activities.length;
    return { origin: 'log', size, root: `${size}`, note: `${size}`, at: this.clock.now() };
  }
  /** An approval or a denial as if it had been stored before. */
  put(given: Omit<Approval, 'id' | 'at' | 'reported'>, of?: NewGiven | null): Approval;
  put(given: Omit<Denial, 'id' | 'at' | 'reported'>, of?: NewGiven | null): Denial;
  put(given: Omit<Approval | Denial, 'id' | 'at' | 'reported'>, of: NewGiven | null = null) {
    const stored = { ...given, id: recordId(), at: this.clock.now(), reported: false } as Approval | Denial;
    this.stored.push({ ...stored, of });
    return stored;
  }
  async ofHead(repoId: number, head: string) {
    return this.#ofHead(repoId, head);
  }
  async ofHeads(repoId: number, heads: string[]) {
    return new Map(heads.map((head) => [head, this.#ofHead(repoId, head)]));
  }
  #ofHead(repoId: number, head: string) {
    const withdrawn = this.stored.filter(
      (one) => one.repoId === repoId && one.head === head && one.withdrawn,
    );
    const valid = this.#valid((one) => one.repoId === repoId && one.head === head);
    return {
      valid: valid.filter(isApproval),
      denials: valid.filter(isDenial),
      withdrawn: withdrawn.map(({ id, pr, githubId, withdrawn }) => ({
        id,
        pr,
        githubId,
        reported: withdrawn === 'reported',
      })),
    };
  }
  async ofPerson({ orgId, githubId, head }: { orgId: number; githubId: number; head: string }) {
    return this.#located((one) => one.orgId === orgId && one.githubId === githubId && one.head === head);
  }
  async madeWith({ id, holder, org, since }: LostAuthenticator) {
    return this.#located(
      (one) =>
        one.orgId === org.id &&
        one.githubId === holder.githubId &&
        one.of?.authenticator === id &&
        one.at >= since,
    );
  }
  async deniers(orgId: number) {
    const found = this.#valid((one) => one.orgId === orgId && isDenial(one) && !one.fromOutside);
    return [...new Map(found.map(({ githubId, login }) => [githubId, { githubId, login }])).values()];
  }
  async denialsOf({ orgId, githubId }: { orgId: number; githubId: number }) {
    return this.#located((one) => one.orgId === orgId && one.githubId === githubId).filter(isLocatedDenial);
  }
  async findDenial(orgId: number, id: string) {
    return this.#located((one) => one.orgId === orgId && one.id === id).find(isLocatedDenial) ?? null;
  }
  async withdraw({ id }: Withdrawable, effects: Effects) {
    const found = this.stored.find((one) => one.id === id);
    if (!found || found.withdrawn) return false;
    found.withdrawn = 'unreported';
    this.withdrawals.push(effects);
    return true;
  }
  #valid(matches: (one: StoredGiven) => boolean) {
    return this.stored.filter((one) => !one.withdrawn && matches(one)).map((one) => ({ ...one }));
  }
  #located(matches: (one: StoredGiven) => boolean): Withdrawable[] {
    return this.#valid(matches).map((one) => ({
      ...one,
      repo: one.of?.repo ?? { installation: 1, owner: 'octo-org', name: 'hello' },
    }));
  }
  async ofPull(repoId: number, pr: number) {
    const found = this.stored
      .filter((one) => one.repoId === repoId && one.pr === pr)
      .map((one) => ({ ...one, withdrawn: one.withdrawn ? one.at : null }));
    return { approvals: found.filter(isApproval), denials: found.filter(isDenial) };
  }
  async unreportedHeads() {
    return this.stored
      .filter(({ reported, withdrawn }) => (withdrawn ? withdrawn === 'unreported' : !reported))
      .toSorted((one, other) => rankOf(one) - rankOf(other))
      .map(({ orgId, repoId, head, of }) => ({
        repo: of?.repo ?? { installation: 1, owner: 'octo-org', name: 'hello' },
        repoId,
        head,
        orgId,
      }));
  }
  async markReported({ valid, denials, withdrawn }: HeadApprovals) {
    const has = (all: { id: string }[], { id }: StoredGiven) => all.some((one) => one.id === id);
    for (const one of this.stored) {
      if (has([...valid, ...denials], one)) one.reported = true;
      if (has(withdrawn, one)) one.withdrawn = 'reported';
    }
  }
}

const isLocatedDenial = (one: Withdrawable): one is LocatedDenial => one.reason !== undefined;

/** Withdrawals come first, then denials, then approvals. */
const rankOf = (one: StoredGiven) => (one.withdrawn ? 0 : isDenial(one) ? 1 : 2);

const methodOf = (given: NewGiven) => {
  const { method, userVerified, aaguid, modelVerified, fromOutside } = given;
  return { method, userVerified, deviceBound: method !== 'totp', aaguid, modelVerified, fromOutside };
};

/** An installation with the repositories that it was given. */
type Installed = Installation & { repositories: GitHubRepository[] };

export class FakeInstallations extends Fake implements Installations {
  readonly all: Installed[] = [];
  async get(id: number) {
    return this.all.find((one) => one.id === id) ?? null;
  }
  async list() {
    return [...this.all];
  }
  async repositories(id: number) {
    return this.all.find((one) => one.id === id)?.repositories ?? null;
  }
  suspend() {
    for (const one of this.all) one.suspended = true;
  }
  /** The permissions that the App requests. */
  wanted: Record<string, string> = { ...PERMISSIONS };
  enterpriseServer: Registration['enterpriseServer'] = null;
  async registration() {
    return {
      permissions: { ...this.wanted },
      enterpriseServer: this.enterpriseServer,
    };
  }
}

type SavedPull = OpenPull & { orgId: number; since: Date };

/** JSON as the record store returns it: it sorts the keys. */
const sorted = <T>(value: T): T => JSON.parse(canonical(value)) as T;

/** Saved open pull requests; those of an unknown organization aren't saved. */
export class FakeOpenPulls extends Fake implements OpenPulls, PullSearch {
  readonly saved: SavedPull[] = [];
  readonly #organizations: FakeOrganizations;
  constructor(stage: Stage, organizations: FakeOrganizations) {
    super(stage);
    this.#organizations = organizations;
  }
  async save(orgId: number, pulls: OpenPull[], now: Date) {
    if (!this.#organizations.stored.some((org) => org.orgId === orgId)) return;
    for (const one of pulls) {
      const pull = { ...one, lacks: sorted(one.lacks), reviewers: sorted(one.reviewers) };
      const known = this.saved.find(({ repoId, pr }) => repoId === pull.repoId && pr === pull.pr);
      const since = known?.head === pull.head ? known.since : now;
      if (known) Object.assign(known, pull, { orgId, since });
      else this.saved.push({ ...pull, orgId, since });
    }
  }
  async saveAgain(pulls: OpenPull[]) {
    for (const { reviewers, ...pull } of pulls) {
      const known = this.saved.find(({ repoId, pr }) => repoId === pull.repoId && pr === pull.pr);
      if (!known) return false;
      Object.assign(
        known,
        { ...pull, lacks: sorted(pull.lacks) },
        reviewers && { reviewers: sorted(reviewers) },
      );
    }
    return true;
  }
  async withHead(repoId: number, head: string) {
    return this.saved.filter((pull) => pull.repoId === repoId && pull.head === head);
  }
  async find(orgId: number, { repoId, pr }: { repoId: number; pr: number }) {
    return this.saved.find((one) => one.orgId === orgId && one.repoId === repoId && one.pr === pr) ?? null;
  }
  async readSaved(repoId: number) {
    const found = this.saved.filter((pull) => pull.repoId === repoId).map((pull) => ({ ...pull }));
    return {
      withHead: (head: string) => found.filter((pull) => pull.head === head),
      isSaved: (orgId: number, pull: OpenPull) => {
        const known = found.find(({ pr }) => pr === pull.pr);
        const reviewers = pull.reviewers ?? known?.reviewers;
        return isDeepStrictEqual(known, { ...pull, reviewers, orgId, since: known?.since });
      },
    };
  }
  async repositories(by: { repoId: number } | { pr: number; head: string }, most: number) {
    return this.saved
      .filter((pull) =>
        'repoId' in by ? pull.repoId === by.repoId : pull.pr === by.pr && pull.head === by.head,
      )
      .flatMap((pull) => {
        const org = this.#organizations.stored.find(({ orgId }) => orgId === pull.orgId);
        if (!org?.installationId) return [];
        const { installationId: installation, name: owner } = org;
        return { installation, owner, name: pull.repoName, id: pull.repoId, ownerId: pull.orgId };
      })
      .slice(0, most);
  }
  async ofRepository(repo: number) {
    return this.saved.filter(({ repoId }) => repoId === repo).map((pull) => ({ ...pull }));
  }
  async greenRepositories() {
    const green = this.saved.filter(({ approved }) => approved);
    const found = green.flatMap((pull) => {
      const org = this.#organizations.stored.find(({ orgId }) => orgId === pull.orgId);
      return org
        ? [{ id: pull.repoId, installation: org.installationId, owner: org.name, name: pull.repoName }]
        : [];
    });
    return [...new Map(found.map((repo) => [repo.id, repo])).values()].sort((a, b) => a.id - b.id);
  }
  async remove(repoId: number, number: number) {
    return this.#forget(({ repoId: of, pr }) => of === repoId && pr === number);
  }
  async removeRepository(repoId: number) {
    return this.#forget((pull) => pull.repoId === repoId);
  }
  async removeOtherRepositories(orgId: number, repoIds: number[]) {
    this.#forget((pull) => pull.orgId === orgId && !repoIds.includes(pull.repoId));
  }
  /** The first page. */
  async list(orgRecordId: string, { most, approved = false }: { most: number; approved?: boolean }) {
    const org = this.#organizations.stored.find(({ id }) => id === orgRecordId);
    const all = this.saved
      .filter((pull) => pull.orgId === org?.orgId && pull.approved === approved)
      .sort((one, other) => one.since.getTime() - other.since.getTime());
    const pulls = all.slice(0, most).map((pull) => ({ ...pull }));
    return { total: all.length, asOf: new Date(0), pulls, next: null };
  }
  #forget(isGone: (pull: SavedPull) => boolean): void {
    this.saved.splice(0, this.saved.length, ...this.saved.filter((pull) => !isGone(pull)));
  }
}

import { randomBytes } from 'node:crypto';
import {
  decodeAttestationObject,
  isoBase64URL,
  parseAuthenticatorData,
} from '@simplewebauthn/server/helpers';
import type {
  GitHubUser,
  Installation,
  Members,
  Organization,
  Organizations,
  Role,
  Session,
  Sessions,
  Users,
  UserTokens,
} from '../../src/accounts/ports.ts';
import type {
  AccessLevel,
  Approval,
  Approvals,
  CheckRunContent,
  CheckRuns,
  Installations,
  NewApproval,
  PullRequest,
  PullRequests,
  RepositoryAccess,
  RepositoryRef,
  RunRecord,
  Runs,
} from '../../src/approvals/ports.ts';
import type {
  Challenge,
  Challenges,
  CodeFailures,
  Credential,
  Credentials,
  Entry,
  NewCredential,
  NewTotpApp,
  Owner,
  TotpApp,
  TotpApps,
} from '../../src/authenticators/ports.ts';
import type { Clock } from '../../src/clock.ts';
import type { Deliveries } from '../../src/webhook.ts';
import type { SoftwareAuthenticator } from './authenticator.ts';

/** What may be done to a call of a fake: it fails before it had an effect, or after. */
type Fault = { call: string; error: Error; when: 'before' | 'after' };

/**
 * Where fakes act. Each call of each fake passes here under a name such as
 * `runs.claim`, so that a test can let it fail, hold it, and see what was called.
 */
export class Stage {
  readonly calls: string[] = [];
  readonly #faults: Fault[] = [];
  /** Called before and after the effect of each call; what it returns is waited for. */
  gate: (call: string) => Promise<void> = async () => undefined;

  /** Lets the next `times` calls of this name fail. */
  fail(call: string, error: Error, options: { when?: Fault['when']; times?: number } = {}): void {
    const { when = 'before', times = 1 } = options;
    for (let count = 0; count < times; count += 1) this.#faults.push({ call, error, when });
  }

  async play<T>(call: string, work: () => T): Promise<T> {
    this.calls.push(call);
    const at = this.#faults.findIndex((fault) => fault.call === call);
    const [fault] = at < 0 ? [] : this.#faults.splice(at, 1);
    await this.gate(call);
    if (fault?.when === 'before') throw fault.error;
    const result = work();
    await this.gate(`${call} answered`);
    if (fault) throw fault.error;
    return result;
  }
}

/** Time that stands still until a test moves it. */
export class FakeClock implements Clock {
  #now: number;
  constructor(now = Date.parse('2026-05-04T12:00:00Z')) {
    this.#now = now;
  }
  now(): Date {
    return new Date(this.#now);
  }
  pass(ms: number): void {
    this.#now += ms;
  }
}

class Fake {
  readonly stage: Stage;
  constructor(stage: Stage) {
    this.stage = stage;
  }
}

class TimedFake extends Fake {
  readonly clock: Clock;
  constructor(stage: Stage, clock: Clock) {
    super(stage);
    this.clock = clock;
  }
}

const recordId = () => randomBytes(8).toString('hex').slice(0, 15);

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
  create(_repo: RepositoryRef, head: string, content: CheckRunContent) {
    return this.stage.play('checkRuns.create', () => {
      const id = 1000 + this.made.length;
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
      return !isKept;
    });
  }
  find(_repo: RepositoryRef, head: string) {
    return this.stage.play('checkRuns.find', () => {
      const run = this.shown(head);
      return run ? { id: run.id, isCompleted: run.content.status === 'completed' } : null;
    });
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

/** GitHub's pull requests; null where the installation sees no repository. */
export class FakePullRequests extends Fake implements PullRequests {
  all: PullRequest[] | null = [];
  get(_repo: RepositoryRef, number: number) {
    return this.stage.play('pulls.get', () => this.all?.find((pull) => pull.number === number) ?? null);
  }
  listOpen(_repo: RepositoryRef) {
    return this.stage.play(
      'pulls.listOpen',
      () => this.all?.filter(({ open }) => open).map((pull) => structuredClone(pull)) ?? null,
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

export class FakeOrganizations extends Fake implements Organizations {
  readonly stored: Organization[] = [];
  byId(id: string) {
    return this.stage.play('organizations.byId', () => {
      const found = this.stored.find((one) => one.id === id);
      return found ? { ...found } : null;
    });
  }
  byOrgId(orgId: number) {
    return this.stage.play('organizations.byOrgId', () => this.#find(orgId));
  }
  save({ id, account, suspended }: Installation) {
    return this.stage.play('organizations.save', () => {
      const known = this.stored.find(({ orgId }) => orgId === account.id);
      const organization = {
        id: known?.id ?? recordId(),
        orgId: account.id,
        name: account.login,
        installationId: id,
        accountType: account.type,
        suspended,
      };
      if (known) Object.assign(known, organization);
      else this.stored.push(organization);
      return { ...organization };
    });
  }
  removed(installationId: number) {
    return this.stage.play('organizations.removed', () => {
      for (const one of this.stored) if (one.installationId === installationId) one.installationId = 0;
    });
  }
  #find(orgId: number): Organization | null {
    const found = this.stored.find((one) => one.orgId === orgId);
    return found ? { ...found } : null;
  }
}

export class FakeInstallations extends Fake implements Installations {
  readonly all: (Installation & { repositories: { owner: string; name: string }[] })[] = [];
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
}

/** Who belongs to an account and who may read its repositories, by GitHub id. */
export class FakeMembers extends Fake implements Members, RepositoryAccess {
  readonly roles = new Map<string, Role>();
  readonly readers = new Set<number>();
  readonly writers = new Set<number>();
  set(orgId: number, githubId: number, role: Role): void {
    this.roles.set(`${orgId}:${githubId}`, role);
    this.readers.add(githubId);
  }
  role(org: { orgId: number }, person: { githubId: number }) {
    return this.stage.play('members.role', () => this.roles.get(`${org.orgId}:${person.githubId}`) ?? null);
  }
  expected = true;
  isExpected() {
    return this.expected;
  }
  level(_repo: RepositoryRef, person: { githubId: number }) {
    return this.stage.play(
      'access.level',
      (): AccessLevel =>
        this.writers.has(person.githubId) ? 'write' : this.readers.has(person.githubId) ? 'read' : 'none',
    );
  }
}

export class FakeChallenges extends Fake implements Challenges {
  readonly stored: Challenge[] = [];
  readonly spent = new Set<string>();
  add(challenge: Challenge) {
    return this.stage.play('challenges.add', () => void this.stored.push(structuredClone(challenge)));
  }
  find(challenge: string) {
    return this.stage.play('challenges.find', () => {
      const found = this.stored.find((one) => one.challenge === challenge);
      return found ? structuredClone(found) : null;
    });
  }
  spend({ challenge }: Challenge) {
    return this.stage.play('challenges.spend', () => {
      if (this.spent.has(challenge)) return false;
      this.spent.add(challenge);
      return true;
    });
  }
}

export class FakeCredentials extends Fake implements Credentials {
  readonly stored: (Credential & Partial<NewCredential>)[] = [];
  readonly #used = new Set<string>();
  of(userId: string, orgRecordId: string) {
    return this.stage.play('credentials.of', () => this.#own(userId, orgRecordId));
  }
  byId(id: string) {
    return this.stage.play('credentials.byId', () => this.stored.find((one) => one.id === id) ?? null);
  }
  add(credential: NewCredential, _owner: Owner, entry: Entry) {
    return this.stage.play('credentials.add', () => {
      if (this.stored.some(({ keyId }) => keyId === credential.keyId)) return 'known' as const;
      const isFirst = this.#own(credential.userId, credential.orgRecordId).length === 0;
      if (entry === 'first' && !isFirst) return 'notFirst' as const;
      const id = recordId();
      this.stored.push({ ...credential, id });
      return { id, created: '2026-05-04T12:00:00.000Z' };
    });
  }
  rename(id: string, label: string) {
    return this.stage.play('credentials.rename', () => {
      for (const one of this.stored) if (one.id === id) one.label = label;
    });
  }
  remove({ id }: Credential) {
    return this.stage.play('credentials.remove', () => {
      const at = this.stored.findIndex((one) => one.id === id);
      if (at >= 0) this.stored.splice(at, 1);
      return at >= 0;
    });
  }
  used(credential: Credential, counter: number) {
    return this.stage.play('credentials.used', () => {
      const key = `${credential.id}:${counter}`;
      if (counter !== 0 && this.#used.has(key)) return false;
      this.#used.add(key);
      const stored = this.stored.find(({ id }) => id === credential.id);
      if (stored) stored.counter = counter;
      return true;
    });
  }
  #own(userId: string, orgRecordId: string): Credential[] {
    return this.stored
      .filter((one) => one.userId === userId && one.orgRecordId === orgRecordId)
      .map((one) => ({ ...one }));
  }
}

export class FakeTotpApps extends Fake implements TotpApps {
  readonly stored: TotpApp[] = [];
  readonly #steps = new Map<string, number>();
  of(userId: string, orgRecordId: string) {
    return this.stage.play(
      'totpApps.of',
      () => this.stored.find((one) => one.userId === userId && one.orgRecordId === orgRecordId) ?? null,
    );
  }
  byId(id: string) {
    return this.stage.play('totpApps.byId', () => this.stored.find((one) => one.id === id) ?? null);
  }
  add({ label, secret, step }: NewTotpApp, { userId, org }: Owner, _entry: Entry) {
    return this.stage.play('totpApps.add', () => {
      if (this.stored.some((one) => one.userId === userId && one.orgRecordId === org.recordId))
        return 'known' as const;
      const id = recordId();
      this.stored.push({ id, userId, orgRecordId: org.recordId, label, secret });
      this.#steps.set(id, step);
      return { id, created: '2026-05-04T12:00:00.000Z' };
    });
  }
  remove({ id }: { id: string }) {
    return this.stage.play('totpApps.remove', () => {
      const at = this.stored.findIndex((one) => one.id === id);
      if (at >= 0) this.stored.splice(at, 1);
      return at >= 0;
    });
  }
  spend({ id }: TotpApp, step: number) {
    return this.stage.play('totpApps.spend', () => {
      if (step <= (this.#steps.get(id) ?? -1)) return false;
      this.#steps.set(id, step);
      return true;
    });
  }
}

export class FakeCodeFailures extends Fake implements CodeFailures {
  readonly rows = new Map<string, Date[]>();
  of(userId: string, orgRecordId: string) {
    return this.stage.play('codeFailures.of', () => {
      const row = this.rows.get(`${userId}:${orgRecordId}`) ?? [];
      return { count: row.length, last: row.at(-1) ?? null, next: row.length + 1 };
    });
  }
  claim(userId: string, orgRecordId: string, place: number, at: Date) {
    return this.stage.play('codeFailures.claim', () => {
      const key = `${userId}:${orgRecordId}`;
      const row = this.rows.get(key) ?? [];
      if (place <= row.length) return false;
      this.rows.set(key, [...row, at]);
      return true;
    });
  }
  clear(userId: string, orgRecordId: string) {
    return this.stage.play('codeFailures.clear', () => void this.rows.delete(`${userId}:${orgRecordId}`));
  }
}

export class FakeSessions extends Fake implements Sessions {
  readonly open = new Map<string, Session>();
  begin(userId: string) {
    return this.stage.play('sessions.begin', () => {
      const token = `token-${randomBytes(8).toString('hex')}`;
      this.open.set(token, { userId, githubId: 1, login: userId });
      return token;
    });
  }
  read(token: string) {
    return this.stage.play('sessions.read', () => this.open.get(token) ?? null);
  }
  endAll(userId: string) {
    return this.stage.play('sessions.endAll', () => {
      for (const [token, session] of this.open) if (session.userId === userId) this.open.delete(token);
    });
  }
}

/** What GitHub says of user tokens: a token that is not here is none of the App's. */
export class FakeUserTokens extends Fake implements UserTokens {
  readonly owners = new Map<string, GitHubUser>();
  visible: Installation[] = [];
  active: { orgId: number; role: Role }[] = [];
  check(token: string) {
    return this.stage.play('tokens.check', () => this.owners.get(token) ?? null);
  }
  installations(_token: string) {
    return this.stage.play('tokens.installations', () => this.visible);
  }
  memberships(_token: string) {
    return this.stage.play('tokens.memberships', () => this.active);
  }
}

export class FakeUsers extends Fake implements Users {
  readonly profiles = new Map<string, GitHubUser>();
  readonly memberships = new Map<string, { orgId: number; role: Role }[]>();
  readonly unlinked: { userId: string; githubId: number }[] = [];
  githubIdOf(userId: string) {
    return this.stage.play('users.githubIdOf', () => this.profiles.get(userId)?.id ?? 0);
  }
  saveProfile(userId: string, user: GitHubUser) {
    return this.stage.play('users.saveProfile', () => void this.profiles.set(userId, user));
  }
  saveMemberships(userId: string, memberships: { org: Organization; role: Role }[]) {
    return this.stage.play('users.saveMemberships', () => {
      const plain = memberships.map(({ org, role }) => ({ orgId: org.orgId, role }));
      this.memberships.set(userId, plain);
    });
  }
  unlink(userId: string, githubId: number) {
    return this.stage.play('users.unlink', () => void this.unlinked.push({ userId, githubId }));
  }
}

export class FakeDeliveries extends Fake implements Deliveries {
  readonly worked = new Map<string, string>();
  isDone(guid: string) {
    return this.stage.play('deliveries.isDone', () => this.worked.has(guid));
  }
  done(guid: string, event: string) {
    return this.stage.play('deliveries.done', () => void this.worked.set(guid, event));
  }
}

/** A whole set of stores over one stage and one clock. */
export function fakeStores(stage = new Stage(), clock = new FakeClock()) {
  return {
    stage,
    clock,
    runs: new FakeRuns(stage, clock),
    approvals: new FakeApprovals(stage, clock),
    organizations: new FakeOrganizations(stage),
    challenges: new FakeChallenges(stage),
    credentials: new FakeCredentials(stage),
    totpApps: new FakeTotpApps(stage),
    codeFailures: new FakeCodeFailures(stage),
    deliveries: new FakeDeliveries(stage),
  };
}

/** A GitHub in memory, over the same stage. */
export function fakeGitHub(stage: Stage) {
  const members = new FakeMembers(stage);
  return {
    checkRuns: new FakeCheckRuns(stage),
    pulls: new FakePullRequests(stage),
    installations: new FakeInstallations(stage),
    members,
    access: members,
    tokens: new FakeUserTokens(stage),
  };
}

export const REPO = { installation: 5, owner: 'octo-org', name: 'hello' } satisfies RepositoryRef;
export const HEAD = 'ab'.repeat(20);

/** A pull request of `REPO` at `HEAD`, with what the test changes. */
export function aPull(change: Partial<PullRequest> = {}): PullRequest {
  return {
    number: 7,
    title: 'A change',
    author: { login: 'mona', avatarUrl: 'https://avatars.example/mona' },
    open: true,
    head: HEAD,
    base: 'main',
    repo: { id: 42, owner: 'octo-org', name: 'hello', ownerId: 9 },
    ...change,
  };
}

/** Mona's approval of `aPull()`, with what the test changes. */
export function anApproval(change: Partial<Approval> = {}): Approval {
  return {
    id: recordId(),
    orgId: 9,
    repoId: 42,
    pr: 7,
    base: 'main',
    head: HEAD,
    login: 'mona',
    method: 'passkey',
    userVerified: true,
    at: new Date('2026-05-04T12:34:56Z'),
    reported: false,
    ...change,
  };
}

/** The installation of the App on `octo-org`, with what the test changes. */
export function anInstallation(change: Partial<Installation> = {}): Installation {
  return {
    id: 5,
    account: { id: 9, login: 'octo-org', type: 'Organization', htmlUrl: 'https://github.com/octo-org' },
    suspended: false,
    ...change,
  };
}

/** The COSE public key that an authenticator registers, base64url. */
export function publicKeyOf(authenticator: SoftwareAuthenticator): string {
  const { attestationObject } = authenticator.create({ challenge: 'AA' }).response;
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const { credentialPublicKey } = parseAuthenticatorData(attestation.get('authData'));
  return isoBase64URL.fromBuffer(credentialPublicKey ?? new Uint8Array());
}

/** The authenticator as a credential of `mona` in the organization `org`, with what the test changes. */
export function aCredential(
  authenticator: SoftwareAuthenticator,
  change: Partial<Credential> = {},
): Credential {
  return {
    id: 'credential',
    type: 'passkey',
    label: 'Key',
    keyId: authenticator.id,
    userId: 'mona',
    orgRecordId: 'org',
    publicKey: publicKeyOf(authenticator),
    counter: 0,
    transports: [],
    ...change,
  };
}

import { randomBytes } from 'node:crypto';
import { syncCheckRun } from '../../src/approvals/check-run/head.ts';
import type { CheckRunContent, DeploymentKey, PullRequest } from '../../src/approvals/ports.ts';
import type { StoredCredentials, StoredTotpApps } from '../../src/authenticators/ports.ts';
import { createTrustedAuthenticators } from '../../src/authenticators/trusted-authenticators.ts';
import { DEFAULT_POLICY } from '../../src/contract/default-policy.ts';
import type { Policy } from '../../src/contract/policy.ts';
import type { Review, WorkflowRun } from '../../src/deployments/ports.ts';
import { onRequested } from '../../src/deployments/review/requested.ts';
import { listCalls } from '../../src/http/calls.ts';
import { createVisibleRepositories } from '../../src/inbox/visible-repositories.ts';
import type { RepositoryRef } from '../../src/organizations/ports.ts';
import type { Session } from '../../src/people/ports.ts';
import { requirePerson } from '../../src/people/session.ts';
import { CodeApp, SoftwareAuthenticator } from '../support/authenticator.ts';
import { everyRoom } from '../support/every-room.ts';
import {
  aCredential,
  anInstallation,
  aPull,
  aRepository,
  aRun,
  aTotpApp,
  FakeCheckRuns,
  FakeMembers,
  FakePullRequests,
  FakeSessions,
  FakeWorkflowRuns,
  fakeGitHub,
  fakeStores,
} from '../support/fakes.ts';

// Two organizations, whose people's sessions and GitHub tokens were all stolen. Everything behind the ports is in
// memory; the product's calls, its rules and every signature are real.

export const ORIGIN = 'https://guard.example.org';
const API = 'https://api.github.com';

export const ORGS = [
  { id: 9, login: 'octo-org', installation: 5 },
  { id: 10, login: 'other-org', installation: 6 },
];

export const REPOS = [
  { id: 42, name: 'hello', ownerId: 9 },
  { id: 43, name: 'tools', ownerId: 9 },
  { id: 50, name: 'hello', ownerId: 10 },
];

/** The people who press their keys only for what they see, and Mallory, who attacks. */
export const PEOPLE = [
  { userId: 'mona', githubId: 11, login: 'mona', orgs: [9] },
  { userId: 'octocat', githubId: 12, login: 'octocat', orgs: [9, 10] },
  { userId: 'hubot', githubId: 13, login: 'hubot', orgs: [10] },
  { userId: 'mallory', githubId: 14, login: 'mallory', orgs: [10] },
];

export const MALLORY = 14;
export const HEADS = ['a1', 'b2', 'c3', 'd4', 'e5'].map((pair) => pair.repeat(20));
export const BASES = ['main', 'release'];
export const ENVIRONMENTS = ['release', 'staging'];

export const orgOf = (id: number) => {
  const org = ORGS.find((one) => one.id === id);
  if (!org) throw new Error(`no organization ${id}`);
  return org;
};

/** Everybody who is enrolled may vouch. */
const VOUCHED: Policy = {
  ...DEFAULT_POLICY,
  enrolment: { mode: 'vouched', domains: [], vouchers: 'members' },
};

export const tokenOf = ({ userId }: Session) => `ghu_${userId}`;

/** Each authenticator is made once, as making its key is slow. */
const keys = new Map<string, SoftwareAuthenticator>();
export function keyOf(name: string): SoftwareAuthenticator {
  const key = keys.get(name) ?? new SoftwareAuthenticator(ORIGIN);
  keys.set(name, key);
  return key;
}

/** One person's authenticators in one organization. */
export type Holding = {
  person: (typeof PEOPLE)[number];
  org: number;
  key: SoftwareAuthenticator;
  app: CodeApp;
};

class Pulls extends FakePullRequests {
  override async get(repo: RepositoryRef, number: number) {
    const found = this.all?.find((pull) => pull.number === number && isIn(repo, pull));
    return found ? structuredClone(found) : null;
  }
  override async listOpen(repo: RepositoryRef) {
    if (!REPOS.some(({ name, ownerId }) => name === repo.name && isOwner(repo, ownerId))) return null;
    return structuredClone((this.all ?? []).filter((pull) => pull.open && isIn(repo, pull)));
  }
}

const isOwner = ({ installation, owner }: RepositoryRef, ownerId: number) =>
  orgOf(ownerId).installation === installation && orgOf(ownerId).login === owner;
const isIn = (repo: RepositoryRef, pull: PullRequest) =>
  pull.repo.name === repo.name && isOwner(repo, pull.repo.ownerId);

/** Runs by repository: two repositories can have one commit. */
class CheckRunsOfAll extends FakeCheckRuns {
  override async create(repo: RepositoryRef, head: string, content: CheckRunContent) {
    return super.create(repo, runKey(repo, head), content);
  }
  override async findNewest(repo: RepositoryRef, head: string) {
    return super.findNewest(repo, runKey(repo, head));
  }
}

const runKey = ({ installation, name }: RepositoryRef, head: string) => `${installation}/${name}:${head}`;

/** Runs by repository, and what they were when our App let their jobs start. */
class RunsOfAll extends FakeWorkflowRuns {
  readonly starts: (DeploymentKey & { run: number; of: WorkflowRun })[] = [];
  #ofRepo(repo: RepositoryRef, id: number) {
    const found = this.runs.find((run) => run.id === id);
    const { name, ownerId } = REPOS.find((one) => one.id === found?.repoId) ?? {};
    return found && name === repo.name && isOwner(repo, ownerId ?? 0) ? found : undefined;
  }
  override async get(repo: RepositoryRef, id: number) {
    return structuredClone(this.#ofRepo(repo, id) ?? null);
  }
  override async pending(repo: RepositoryRef, id: number) {
    return this.#ofRepo(repo, id) ? [...(this.listed.get(id) ?? [])] : null;
  }
  override async review(repo: RepositoryRef, { state, run, environment }: Review) {
    const of = this.#ofRepo(repo, run);
    const waiting = this.listed.get(run) ?? [];
    if (!of || !waiting.includes(environment)) return 'gone' as const;
    if (state)
      this.listed.set(
        run,
        waiting.filter((name) => name !== environment),
      );
    const { repoId, attempt } = of;
    if (state === 'approved')
      this.starts.push({ repoId, run, attempt, environment, of: structuredClone(of) });
    return 'written' as const;
  }
}

class MembersOfTwo extends FakeMembers {
  override async permission(repo: RepositoryRef, person: { githubId: number }) {
    const org = ORGS.find(({ installation }) => installation === repo.installation);
    return org && this.roles.has(`${org.id}:${person.githubId}`) ? ('write' as const) : ('none' as const);
  }
}

export type World = Awaited<ReturnType<typeof createWorld>>;

/** @param newcomer A person who has nothing yet, in an organization where a member has to vouch. */
export async function createWorld(newcomer?: { login: string; org: number }) {
  const stores = fakeStores();
  const { stage, clock } = stores;
  const members = new MembersOfTwo(stage);
  const github = {
    ...fakeGitHub(stage, clock),
    pulls: new Pulls(stage),
    checkRuns: new CheckRunsOfAll(stage),
    workflowRuns: new RunsOfAll(stage),
    members,
    access: members,
  };
  const deps = {
    ...stores,
    ...github,
    sessions: new FakeSessions(stage),
    checkToken: (token: string) => github.tokens.check(token),
    origins: { publicUrl: ORIGIN, githubUrl: 'https://github.com' },
    githubApiUrl: API,
    random: (bytes: number) => new Uint8Array(randomBytes(bytes)),
    sleep: async () => undefined,
    onDelay: () => undefined,
    onUnfinished: () => undefined,
    onNotStored: () => undefined,
    onSyncFailed: () => undefined,
    onRepaired: () => undefined,
    recheckRun: () => undefined,
    judgeAgain: () => undefined,
  };
  const ofInbox = {
    noticeChoices: { of: async () => 'off' as const, save: async () => undefined },
    visible: createVisibleRepositories(deps),
  };
  const trusted = createTrustedAuthenticators({
    ...deps,
    credentials: { list: deps.credentials.list.bind(deps.credentials) } as StoredCredentials,
    totpApps: { find: deps.totpApps.find.bind(deps.totpApps) } as StoredTotpApps,
  });
  Object.assign(deps.credentials, { list: trusted.credentials.list });
  Object.assign(deps.totpApps, { find: trusted.totpApps.find });
  if (newcomer) deps.policies.policy = VOUCHED;
  const holdings: Holding[] = [];
  for (const org of ORGS) {
    const saved = await deps.organizations.save(installationOf(org));
    const { id } = saved;
    deps.installations.all.push({
      ...installationOf(org),
      repositories: REPOS.filter(({ ownerId }) => ownerId === org.id).map((repo) =>
        aRepository({ ...repo, owner: org.login }),
      ),
    });
    for (const person of PEOPLE.filter(({ orgs }) => orgs.includes(org.id))) {
      const role = person.login === 'octocat' ? 'admin' : 'member';
      deps.members.set(org.id, person.githubId, role);
      deps.memberships.put(saved, { ...person, role }, { userId: person.userId });
      const name = `${person.login}:${org.id}`;
      const holding = { person, org: org.id, key: keyOf(name), app: new CodeApp(Buffer.alloc(16, name)) };
      holdings.push(holding);
      if (newcomer?.login === person.login && newcomer.org === org.id) continue;
      const of = { userId: person.userId, orgRecordId: id };
      deps.credentials.stored.push(aCredential(holding.key, { ...of, id: recordIdOf(name) }));
      const secret = new Uint8Array(Buffer.alloc(16, name));
      deps.totpApps.stored.push(aTotpApp({ ...of, id: recordIdOf(`${name}:totp`), secret }));
    }
  }
  for (const person of PEOPLE) {
    const profile = { id: person.githubId, login: person.login, avatarUrl: '' };
    deps.tokens.owners.set(tokenOf(person), profile);
    deps.users.profiles.set(person.userId, profile);
    deps.users.contacts.set(person.userId, { login: person.login, address: '', image: null });
  }
  const [first = '', second = ''] = HEADS;
  deps.pulls.all = [
    pullAt(1, 0, { head: first }),
    pullAt(2, 0, { head: second }),
    pullAt(1, 1, { head: first }),
    pullAt(1, 2, { head: first }),
  ];
  const world = { ...deps, ...ofInbox, holdings };
  for (const pull of deps.pulls.all) await syncHead(world, pull);
  for (const { id: repoId, ownerId } of REPOS) await startRun(world, { repoId, ownerId, head: first });
  return world;
}

const recordIdOf = (name: string) => Buffer.from(name).toString('hex').padEnd(15, '0').slice(-15);

const installationOf = ({ id, login, installation }: (typeof ORGS)[number]) =>
  anInstallation({
    id: installation,
    account: { id, login, type: 'Organization', htmlUrl: `https://github.com/${login}` },
  });

/** A pull request of the repository with this index. */
export function pullAt(number: number, repo: number, change: Partial<PullRequest> = {}): PullRequest {
  const { id, name, ownerId } = REPOS[repo] as (typeof REPOS)[number];
  return aPull({ number, repo: { id, name, ownerId, owner: orgOf(ownerId).login }, ...change });
}

/** Does the work of a webhook about a pull request. */
export async function syncHead(
  world: Pick<World, 'pulls'> & Parameters<typeof syncCheckRun>[0],
  { repo, head }: Pick<PullRequest, 'repo' | 'head'>,
): Promise<void> {
  const { installation } = orgOf(repo.ownerId);
  await syncCheckRun(world, {
    repo: { installation, owner: repo.owner, name: repo.name },
    repoId: repo.id,
    head,
  });
}

type RunsIn = Pick<World, 'workflowRuns'> & Parameters<typeof onRequested>[0];

/** Starts a run whose jobs wait at every environment. */
export async function startRun(world: RunsIn, change: Partial<WorkflowRun>): Promise<WorkflowRun> {
  const { runs, listed } = world.workflowRuns;
  const { name = '', ownerId = 0 } = REPOS.find(({ id }) => id === change.repoId) ?? {};
  const run = aRun({ id: 101 + runs.length, repo: { owner: orgOf(ownerId).login, name }, ...change });
  runs.push(run);
  listed.set(run.id, [...ENVIRONMENTS]);
  for (const environment of ENVIRONMENTS) await askAbout(world, run, { environment });
  return run;
}

/** Does the work of GitHub's request about a run. A request that is refused is tried again by the scheduler. */
export async function askAbout(
  world: RunsIn,
  run: WorkflowRun,
  change: Partial<Parameters<typeof onRequested>[1]>,
): Promise<void> {
  const { id, name, ownerId } = REPOS.find((repo) => repo.id === run.repoId) ?? {
    id: 0,
    name: '',
    ownerId: 0,
  };
  const { login: owner, installation } = orgOf(ownerId);
  const callbackUrl = `${API}/repos/${owner}/${name}/actions/runs/${run.id}/deployment_protection_rule`;
  const request = {
    repo: { id, installation, owner, name },
    environment: 'release',
    callbackUrl,
    head: run.head,
  };
  await onRequested(world, { ...request, ...change });
}

/** Makes a product call; a refusal is the `Error` it was refused with. */
export async function call(world: World, path: string, session: Session, body: unknown): Promise<unknown> {
  const found = listCalls(everyRoom(world)).find((one) => one.path === path);
  if (!found) throw new Error(`no call ${path}`);
  try {
    const prove = (token?: string) => requirePerson(world.checkToken, session, token);
    return await found.prepare(body).run({ session, prove });
  } catch (error) {
    return error;
  }
}

/** Whether GitHub shows a success on the pull request's head. */
export function isGreen(world: World, { repo, head }: Pick<PullRequest, 'repo' | 'head'>): boolean {
  const { installation } = orgOf(repo.ownerId);
  const run = world.checkRuns.shown(runKey({ installation, owner: repo.owner, name: repo.name }, head));
  return run?.content.conclusion === 'success';
}

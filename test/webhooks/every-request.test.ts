import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pino from 'pino';
import { createGitHubApp, type GitHubApp } from '../../src/adapters/github/app.ts';
import { createAppRegistration, createSentWebhooks } from '../../src/adapters/github/app-registration.ts';
import { createBranches } from '../../src/adapters/github/branches.ts';
import { createCheckRuns } from '../../src/adapters/github/check-runs.ts';
import type { Fetch } from '../../src/adapters/github/fetch.ts';
import { createInstallations } from '../../src/adapters/github/installations.ts';
import { createMembers, createTeams } from '../../src/adapters/github/members.ts';
import { createOpenHeads } from '../../src/adapters/github/open-heads.ts';
import { createProtections } from '../../src/adapters/github/protection.ts';
import { createPullChanges } from '../../src/adapters/github/pull-changes.ts';
import { toPullRequest } from '../../src/adapters/github/pull-request-payload.ts';
import {
  createCommitPulls,
  createHeadCommits,
  createPullRequests,
} from '../../src/adapters/github/pull-requests.ts';
import { createRepositoryAccess } from '../../src/adapters/github/repository-access.ts';
import { createUserTokens } from '../../src/adapters/github/user-tokens.ts';
import type { OrganizationRef } from '../../src/organizations/ports.ts';
import { AppError } from '../../src/shared/app-error.ts';
import { createMemoryLimits } from '../../src/shared/limits.ts';
import { fakeDate } from '../support/fake-date.ts';
import { FakeClock } from '../support/fakes.ts';
import { githubFixture } from '../support/fixtures.ts';
import { APP, CONTENT, STORY } from './bot.ts';

const USER_TOKEN = 'ghu_16C7e42F292c6912E7710c838347Ae178B4a';
const codertocat = { githubId: 21031067, login: 'Codertocat' };
const pull = toPullRequest(githubFixture('pull-request'));

/** Every adapter to GitHub, over one App. */
function adaptersOf(app: GitHubApp) {
  const access = createRepositoryAccess(app, new FakeClock());
  return {
    access,
    branches: createBranches(app),
    checkRuns: createCheckRuns(app, APP.appId),
    commitPulls: createCommitPulls(app),
    headCommits: createHeadCommits(app),
    sentWebhooks: createSentWebhooks(app),
    installations: createInstallations(app, APP.serverUrl),
    members: createMembers(app, access),
    openHeads: createOpenHeads(app, APP.appId),
    pullChanges: createPullChanges(app),
    protections: createProtections(app, createInstallations(app, APP.serverUrl), APP),
    pulls: createPullRequests(app),
    registration: createAppRegistration(app),
    teams: createTeams(app, new FakeClock()),
    tokens: createUserTokens(app, APP.serverUrl),
  };
}

type Adapters = ReturnType<typeof adaptersOf>;
type Repo = { installation: number; owner: string; name: string };
/** A call, and the faults that are an answer to it, each with that answer. Any other fault is an error. */
type Row = [
  ask: (of: Adapters, repo: Repo, org: OrganizationRef) => Promise<unknown>,
  answers: Record<string, unknown>,
];

const NONE = { isComplete: false };
const UNREAD = { defaultBranch: 'master', rulesets: null, branchProtection: null, deployKeys: null };
/** "No permission" is a 403 that says that the App may not read this, `403` any other one. */
const CALLS: Record<string, Row> = {
  'access.permission': [({ access }, repo) => access.permission(repo, codertocat), { 404: 'none' }],
  'access.isCollaborator': [
    ({ access }, repo) => access.isCollaborator(repo, codertocat),
    { 404: false, 'no permission': false },
  ],
  'branches.tip': [({ branches }, repo) => branches.tip(repo, 'master', STORY.baseSha), {}],
  'checkRuns.create': [({ checkRuns }, repo) => checkRuns.create(repo, STORY.head, CONTENT, 'other'), {}],
  'checkRuns.update': [
    ({ checkRuns }, repo) => checkRuns.update(repo, 128620228, CONTENT, 'other'),
    { 404: false },
  ],
  'checkRuns.findNewest': [({ checkRuns }, repo) => checkRuns.findNewest(repo, STORY.head), { 404: null }],
  'commitPulls.ofCommit': [
    ({ commitPulls }, repo) => commitPulls.ofCommit(repo, STORY.head),
    { 404: null, 'no permission': null },
  ],
  'headCommits.read': [
    ({ headCommits }, { owner, name: repo }) =>
      headCommits.read(USER_TOKEN, { owner, repo, pr: STORY.pr, head: STORY.head }),
    { 401: null, 403: null, 404: null, 'no permission': null },
  ],
  'sentWebhooks.listFailed': [({ sentWebhooks }) => sentWebhooks.listFailed(new Date(0)), {}],
  'sentWebhooks.redeliver': [({ sentWebhooks }) => sentWebhooks.redeliver('1'), { 404: undefined }],
  'installations.get': [
    ({ installations }, { installation }) => installations.get(installation),
    { 404: null },
  ],
  'installations.registration': [({ installations }) => installations.registration(), {}],
  'installations.list': [({ installations }) => installations.list(), {}],
  'installations.repositories': [
    ({ installations }, { installation }) => installations.repositories(installation),
    { 404: null },
  ],
  'members.list': [({ members }, _repo, org) => members.list(org), { 404: null }],
  'members.loginOf': [({ members }, _repo, org) => members.loginOf(org, 39652351), { 404: null }],
  'members.role': [({ members }, _repo, org) => members.role(org, codertocat), { 404: null }],
  'openHeads.read': [({ openHeads }, repo) => openHeads.read({ ...repo, id: STORY.repoId }), {}],
  'pullChanges.files': [
    ({ pullChanges }, repo) => pullChanges.files(repo, pull),
    { 404: expect.objectContaining(NONE), 'no permission': expect.objectContaining(NONE) },
  ],
  'pullChanges.list': [
    ({ pullChanges }, repo) => pullChanges.list(repo, 2, 'first'),
    { 404: null, 'no permission': null },
  ],
  'pullChanges.commits': [
    ({ pullChanges }, repo) => pullChanges.commits(repo, pull),
    { 404: expect.objectContaining(NONE), 'no permission': expect.objectContaining(NONE) },
  ],
  'pullChanges.approvers': [
    ({ pullChanges }, repo) => pullChanges.approvers(repo, pull),
    { 404: { people: [], areAllKnown: false }, 'no permission': { people: [], areAllKnown: false } },
  ],
  'pullChanges.requesters': [
    ({ pullChanges }, repo) => pullChanges.requesters(repo, pull),
    {
      404: { people: [], areAllKnown: false },
      'no permission': { people: [], areAllKnown: false },
    },
  ],
  'protections.repository': [
    ({ protections }, repo) => protections.repository(repo, 'master'),
    { 404: UNREAD, 'no permission': UNREAD },
  ],
  'protections.account': [({ protections }, _repo, org) => protections.account(org), {}],
  'pulls.findMerge': [({ pulls }, repo) => pulls.findMerge(repo, 'master'), { 404: null }],
  'pulls.get': [({ pulls }, repo) => pulls.get(repo, 2), { 404: null }],
  'pulls.listOpen': [({ pulls }, repo) => pulls.listOpen(repo), { 404: null }],
  'pulls.listRecentlyUpdated': [({ pulls }, repo) => pulls.listRecentlyUpdated(repo), { 404: null }],
  'teams.has': [
    ({ teams }, repo) => teams.has(repo, '@Octocoders/security', codertocat),
    { 404: null, 'no permission': null },
  ],
  'tokens.check': [({ tokens }) => tokens.check(USER_TOKEN), { 404: null }],
  'tokens.installations': [
    ({ tokens }) => tokens.installations(USER_TOKEN),
    { 401: [], 403: [], 404: [], 'no permission': [] },
  ],
  'tokens.repositories': [
    ({ tokens }) => tokens.repositories(USER_TOKEN, STORY.installation),
    Object.fromEntries([401, 403, 404, 'no permission'].map((fault) => [fault, new Map()])),
  ],
  'tokens.memberships': [
    ({ tokens }) => tokens.memberships(USER_TOKEN),
    { 401: [], 403: [], 404: [], 'no permission': [] },
  ],
};

/** Functions that ask GitHub without a sentence for people: the doctor has its own. */
const FOR_OPERATORS = [
  'readApp',
  'readWebhookConfig',
  'tryClientSecret',
  'askAccounts',
  'readDeliveries',
].map((name) => `registration.${name}`);
/** Functions that ask nothing of GitHub, and functions that send another row's request. */
const OTHERS = ['members.isExpected'];

const PAGE = { data: { repository: null }, errors: [{ type: 'NOT_FOUND', message: 'No' }] };
const GOOD: [path: RegExp, body: unknown][] = [
  [/access_tokens$/, githubFixture('access-token')],
  [/\/graphql$/, PAGE],
  [/\/collaborators\/[^/]+\/permission/, githubFixture('collaborator-permission')],
  [/\/branches\/[^/]+\/protection$/, githubFixture('branch-protection')],
  [/\/rulesets\/\d+$/, githubFixture('ruleset')],
  [/\/keys\?/, githubFixture('deploy-keys')],
  [/\/rules\/branches\//, githubFixture('branch-rules')],
  [/\/check-suites/, githubFixture('check-suites')],
  [/\/commits\/[^/]+\/check-runs/, githubFixture('check-runs')],
  [/\/check-runs/, githubFixture('check-run')],
  [/\/commits\/[^/]+\/pulls/, githubFixture('pulls')],
  [/\/pulls\/\d+\/(commits|files)/, []],
  [/\/pulls\/\d+$/, githubFixture('pull-request')],
  [/\/pulls/, githubFixture('pulls')],
  [/\/(collaborators|teams\/[^/]+\/members|members)\?/, githubFixture('org-members')],
  [/\/hook\/deliveries\/\d+\/attempts/, {}],
  [/\/hook\/deliveries/, githubFixture('hook-deliveries')],
  [/\/user\/installations\/\d+\/repositories/, githubFixture('installation-repositories')],
  [/\/user\/installations/, { total_count: 1, installations: [githubFixture('installation')] }],
  [/\/app\/installations\/\d+$/, githubFixture('installation')],
  [/\/app\/installations/, [githubFixture('installation')]],
  [/\/installation\/repositories/, githubFixture('installation-repositories')],
  [/\/user\/memberships\/orgs/, [githubFixture('org-membership')]],
  [/\/memberships\//, githubFixture('org-membership')],
  [/\/user\/\d+$/, githubFixture('user')],
  [/\/applications\//, githubFixture('token-check')],
  [/\/app$/, githubFixture('app')],
];

const answerOf = (status: number, body: string, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } });
const goodAnswer = (url: string) => {
  const [, body] = GOOD.find(([path]) => path.test(url)) ?? [];
  if (body === undefined) throw new Error(`no answer for ${url}`);
  return answerOf(url.endsWith('/attempts') ? 202 : 200, JSON.stringify(body));
};
const refusal = (message: string) => JSON.stringify({ message });

const FAULTS: Record<string, Fetch> = {
  401: async () => answerOf(401, refusal('Bad credentials')),
  403: async () => answerOf(403, refusal('the organization has an IP allow list enabled')),
  'no permission': async () => answerOf(403, refusal('Resource not accessible by integration')),
  404: async () => answerOf(404, refusal('Not Found')),
  429: async () => answerOf(429, refusal('slow down'), { 'retry-after': '60' }),
  500: async () => answerOf(500, ''),
  502: async () => answerOf(502, '<html></html>', { 'content-type': 'text/html' }),
  'a hang': (_url, { signal } = {}) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    }),
  'a broken answer': async () => answerOf(200, '<html></html>', { 'content-type': 'text/html' }),
  'a part of an answer': async () => answerOf(200, '{"id": 1, "na'),
  'no connection': () => Promise.reject(new Error('ECONNRESET')),
};

/** How long an answer may take: only a hang takes so long. */
const ANSWER_MS = 20;

/** The App at a GitHub that works, or has a fault. */
function world() {
  let time = 0;
  const github: { fault: Fetch | null; hasFaultyTokens: boolean } = {
    fault: null,
    hasFaultyTokens: true,
  };
  const send: Fetch = (url, sent) => {
    // Octokit sends a request again while its token is new, because GitHub may not know that token everywhere.
    jest.setSystemTime(Date.now() + 10_000);
    const isSpared = !github.hasFaultyTokens && url.endsWith('/access_tokens');
    return github.fault && !isSpared ? github.fault(url, sent) : Promise.resolve(goodAnswer(url));
  };
  const app = createGitHubApp(APP, {
    log: pino({ level: 'silent' }),
    answerMs: ANSWER_MS,
    retryMs: 1,
    limits: createMemoryLimits(() => time),
    wrapSend: () => send,
  });
  /** GitHub's limits have ended. */
  const pass = () => {
    time += 100 * 60_000;
  };
  return { app, adapters: adaptersOf(app), github, pass };
}

/** An installation of its own for each call, so that none has the token of another. */
const targetOf = (installationId: number): [Repo, OrganizationRef] => [
  { installation: installationId, owner: STORY.owner, name: STORY.name },
  { orgId: STORY.ownerId, name: STORY.owner, installationId, accountType: 'Organization' },
];

/** The call's result, or the code of its refusal; any other error is shown as it is. */
const outcomeOf = (answer: Promise<unknown>) =>
  answer.catch((error: unknown) => (error instanceof AppError ? `refused: ${error.code}` : String(error)));

/** Its GraphQL schema is older than what we ask, and its own list of memberships fails its own validation. */
const NOT_ANSWERED_BY_THE_SECOND = ['openHeads.read', 'tokens.memberships'];

/** Refused if GitHub doesn't know what they ask for; these tell an installation that has no token apart. */
const OF_AN_INSTALLATION = ['branches.tip', 'checkRuns.create', 'openHeads.read'];

beforeAll(fakeDate);
afterAll(() => void jest.useRealTimers());

describe('every request of the product', () => {
  it('is in the table', () => {
    const all = Object.entries(world().adapters).flatMap(([port, adapter]) =>
      Object.keys(adapter).map((method) => `${port}.${method}`),
    );
    expect([...Object.keys(CALLS), ...FOR_OPERATORS, ...OTHERS].sort()).toEqual(all.sort());
  });

  describe.each(Object.entries(FAULTS))('if GitHub’s answer is %s', (name, fault) => {
    it.each([
      ['with a token from before', false],
      ['and so is that to the request for a token', true],
    ])(
      '%s: ends with a sentence or what we know, and gets an answer when GitHub works again',
      async (_when, isCold) => {
        const { app, adapters, github, pass } = world();
        const all = Object.entries(CALLS).map(([call, [ask, answers]], at) => {
          const [repo, org] = targetOf(1000 + at);
          return {
            call,
            answers,
            installation: repo.installation,
            ask: () => outcomeOf(ask(adapters, repo, org)),
          };
        });
        const askAll = async () =>
          Object.fromEntries(await Promise.all(all.map(async ({ call, ask }) => [call, await ask()])));
        if (!isCold)
          for (const { installation } of all)
            await (await app.asInstallation(installation)).request('GET /user/1');
        Object.assign(github, { fault, hasFaultyTokens: isCold });
        const outcomes = await askAll();
        github.fault = null;
        pass();
        const later = Object.values(await askAll());
        const refusal = name === 'no permission' ? 'permissionMissing' : 'githubUnavailable';
        const refusalOf = (call: string) =>
          isCold && name === '404' && OF_AN_INSTALLATION.includes(call) ? 'installationNotFound' : refusal;
        const expected = Object.fromEntries(
          all.map(({ call, answers }) => [
            call,
            name in answers ? answers[name] : `refused: ${refusalOf(call)}`,
          ]),
        );
        expect(outcomes).toEqual(expected);
        expect(later.filter((outcome) => String(outcome).startsWith('refused'))).toEqual([]);
      },
    );
  });
});

if (process.env.SOAK)
  describe('a GitHub that others wrote from its OpenAPI description', () => {
    const second = startSecondGitHub();
    afterAll(async () => (await second).stop());

    it.each(Object.entries(CALLS).filter(([call]) => !NOT_ANSWERED_BY_THE_SECOND.includes(call)))(
      'answers %s, and we understand it',
      async (_call, [ask]) => {
        const { apiUrl } = await second;
        const statuses: number[] = [];
        const onAnswer = (status: number) => void statuses.push(status);
        const app = createGitHubApp({ ...APP, apiUrl }, { log: pino({ level: 'silent' }), onAnswer });
        const outcome = await outcomeOf(ask(adaptersOf(app), ...targetOf(STORY.installation)));
        expect(String(outcome)).not.toMatch(/^refused|Error/);
        // The answer to the call itself, not that to the request for a token.
        expect([200, 201, 202, 204]).toContain(statuses.at(-1));
      },
    );
  });

const FOLDER = 'test/second-github';

/** Installs the simulator of GitHub in its own folder, and starts it on a free port. */
async function startSecondGitHub() {
  const installed = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: FOLDER, encoding: 'utf8' });
  if (installed.status !== 0) throw new Error(`npm ci failed in ${FOLDER}: ${installed.stderr}`);
  const child = spawn(process.execPath, ['start.js'], { cwd: FOLDER, stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { apiUrl: `http://localhost:${port}`, stop };
}

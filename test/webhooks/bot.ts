import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import pino from 'pino';
import { createGitHubApp } from '../../src/adapters/github/app.ts';
import { createBranches } from '../../src/adapters/github/branches.ts';
import { createCheckRuns } from '../../src/adapters/github/check-runs.ts';
import { createInstallations } from '../../src/adapters/github/installations.ts';
import { createMembers } from '../../src/adapters/github/members.ts';
import { createCommitPulls, createPullRequests } from '../../src/adapters/github/pull-requests.ts';
import { createRepositoryAccess } from '../../src/adapters/github/repository-access.ts';
import { createWorkflowRuns } from '../../src/adapters/github/workflow-runs.ts';
import type { CheckRunContent } from '../../src/approvals/ports.ts';
import type { SyncTarget } from '../../src/approvals/sync-target.ts';
import type { BotDeps } from '../../src/bot/deps.ts';
import { registerHandlers } from '../../src/bot/handlers.ts';
import { createReceiveWebhook } from '../../src/bot/receive-webhook.ts';
import type { GitHubConfig } from '../../src/settings/config.ts';
import { createQueues } from '../../src/shared/queues.ts';
import { anApproval, FakeProtections, fakeFacts, fakeStores, type Stage } from '../support/fakes.ts';
import { githubFixture, type Json, webhookFixture } from '../support/fixtures.ts';
import { GITHUB_API, type Sent } from '../support/nock-github.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** The App of `fixtures/github/app.json`. */
export const APP: GitHubConfig = {
  appId: 29310,
  privateKey,
  webhookSecret: 'the webhook secret',
  clientId: 'Iv1.0123456789abcdef',
  clientSecret: 'the client secret',
  serverUrl: 'https://github.com',
  apiUrl: GITHUB_API,
};

export const PUBLIC_URL = 'https://guard.example.org';

/** The pull request of the fixtures, and its repository. */
export const STORY = {
  installation: 957387,
  owner: 'Octocoders',
  ownerId: 38302899,
  name: 'Hello-World',
  repoId: 186853002,
  pr: 2,
  head: webhookFixture('pull_request.opened').pull_request.head.sha as string,
  baseSha: webhookFixture('pull_request.opened').pull_request.base.sha as string,
};

/** How to address the repository of the fixtures. */
export const REF = { installation: STORY.installation, owner: STORY.owner, name: STORY.name };

/** A run that waits. */
export const CONTENT: CheckRunContent = {
  status: 'in_progress',
  detailsUrl: 'https://guard.example.org/collect',
  title: 'Waiting for approval',
  summary: 'Approve it.',
};

const { ownerId: orgId, repoId, pr, head } = STORY;
const APPROVED = { orgId, repoId, pr, head, base: 'master' };

export const REPO = `/repos/${STORY.owner}/${STORY.name}`;
export const PULLS = `${REPO}/pulls`;
export const CHECK_RUNS = `${REPO}/check-runs`;
export const runsOf = (head: string) => `${REPO}/commits/${head}/check-runs`;
export const RUNS_OF_HEAD = runsOf(STORY.head);
export const INSTALLATION = `/app/installations/${STORY.installation}`;
export const REPOSITORIES = '/installation/repositories';
export const MEMBERS = `/orgs/${STORY.owner}/members`;
/** The run of `fixtures/github/check-run.json`. */
export const RUN = `${CHECK_RUNS}/128620228`;
export const TOKENS = `/app/installations/${STORY.installation}/access_tokens`;

export const reply = {
  token: { status: 201, body: githubFixture('access-token') },
  run: { status: 201, body: githubFixture('check-run') },
  /** GitHub's answer to an update: the run with its new content. */
  updated: ({ body }: Sent) => ({
    status: 200,
    body: githubFixture('check-run', (run) => Object.assign(run, body)),
  }),
  runs: { status: 200, body: githubFixture('check-runs') },
  noRuns: { status: 200, body: { total_count: 0, check_runs: [] } },
  pulls: (change: (pulls: Json) => void = () => undefined) => ({
    status: 200,
    body: githubFixture('pulls', change),
  }),
  repositories: { status: 200, body: githubFixture('installation-repositories') },
  /** `Codertocat` is an owner, `hacktocat` a member. */
  members: ({ query }: Sent) => {
    const [owner, member] = githubFixture('org-members');
    return { status: 200, body: query.get('role') === 'admin' ? [owner] : [member] };
  },
};

/** One page of `count`, with the link to the next one as GitHub sends it. */
export function ofPage({ path, query }: Sent, count: number, bodyOf: (page: number) => unknown) {
  const page = Number(query.get('page') ?? 1);
  const next = new URLSearchParams(query);
  next.set('page', String(page + 1));
  const link = `<${GITHUB_API}${path}?${next}>; rel="next"`;
  return { status: 200, body: bodyOf(page), headers: page < count ? { link } : {} };
}

/** The pause before a failed request is retried: short, and no divisor of other timeouts. */
const RETRY_MS = 23;

export function testApp(lines: string[] = []) {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  return { app: createGitHubApp(APP, { log, retryMs: RETRY_MS }), log };
}

/**
 * The real bot, its adapters and its webhook receiver, over stores in memory.
 *
 * @param replaceAdapters Makes what takes the place of adapters to GitHub.
 */
export async function startBot(replaceAdapters: (stage: Stage) => Partial<BotDeps> = () => ({})) {
  const lines: string[] = [];
  const { app, log } = testApp(lines);
  const stores = fakeStores();
  const protections = new FakeProtections(stores.stage);
  const headTurns = createQueues<string>(5);
  const faults: unknown[] = [];
  const repaired: SyncTarget[] = [];
  const deps: BotDeps = {
    log,
    ...stores,
    ...fakeFacts(stores.stage),
    pulls: createPullRequests(app),
    checkRuns: createCheckRuns(app, APP.appId),
    installations: createInstallations(app, APP.serverUrl),
    branches: createBranches(app),
    commitPulls: createCommitPulls(app),
    workflowRuns: createWorkflowRuns(app, APP.appId),
    githubApiUrl: APP.apiUrl,
    protections,
    members: createMembers(app, createRepositoryAccess(app)),
    origins: { publicUrl: PUBLIC_URL, githubUrl: APP.serverUrl },
    githubUrl: APP.serverUrl,
    failedSyncs: new Map(),
    headTurns,
    visible: { forget: () => undefined },
    onSyncFailed: (error) => void faults.push(error),
    onRepaired: (at) => void repaired.push(at),
    ...replaceAdapters(stores.stage),
  };
  await app.probot.load((bot) => registerHandlers(bot, deps));
  const receive = createReceiveWebhook({
    probot: app.probot,
    appId: APP.appId,
    deliveries: stores.deliveries,
    headTurns,
    log,
    onUnfinished: () => undefined,
  });
  return {
    ...stores,
    deps,
    protections,
    headTurns,
    faults,
    repaired,
    lines,
    receive,
    /** Approves the fixtures' pull request, with what the test changes. */
    approve: (change: Parameters<typeof anApproval>[0] = {}) =>
      stores.approvals.put(anApproval({ ...APPROVED, ...change })),
    /** Delivers the fixture `<event>.<action>` as GitHub would, and waits until it is processed. */
    async deliver(fixture: string, options: { id?: string; change?: (payload: Json) => void } = {}) {
      const delivery = signed(fixture, options);
      const received = await receive(delivery);
      if (received.outcome === 'accepted') await received.work;
      return received.outcome;
    },
  };
}

/** A delivery of the fixture, signed with the App's webhook secret. */
export function signed(fixture: string, options: { id?: string; change?: (payload: Json) => void } = {}) {
  const body = JSON.stringify(webhookFixture(fixture, options.change));
  const signature = `sha256=${createHmac('sha256', APP.webhookSecret).update(body).digest('hex')}`;
  return { id: options.id ?? randomUUID(), event: fixture.split('.')[0] ?? '', signature, body };
}

export type RunBody = {
  name: string;
  head_sha: string;
  status: string;
  conclusion?: string;
  details_url: string;
  output: { title: string; summary: string };
};

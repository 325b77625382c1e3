import { Agent, type RequestListener } from 'node:http';
import { NEEDED } from '../src/protection/permissions.ts';
import { createActions } from './github/actions/actions.ts';
import { addRelease } from './github/actions/add-release.ts';
import { createAppKey } from './github/app-jwt.ts';
import { createAppObject } from './github/app-object.ts';
import { createCheckFields } from './github/check-fields.ts';
import { createChecks } from './github/checks.ts';
import { bindEverybody, createCrowdPulls, createInitialPull } from './github/create-initial-pull.ts';
import { APP, type Credentials, createCredentials } from './github/credentials.ts';
import { createEmulatorClient } from './github/emulator-client.ts';
import type { CheckRun, Installation } from './github/github-objects.ts';
import { createHttpApp } from './github/http-app.ts';
import { createInstallations } from './github/installations.ts';
import { listenOnLoopback } from './github/listen.ts';
import { createProtections } from './github/protections.ts';
import { createPullOverlay } from './github/pull-overlay.ts';
import { createRates, type RateLimitControl, type RateLimits } from './github/rate-limits.ts';
import { createRoles } from './github/roles.ts';
import type { RouteDeps } from './github/route-deps.ts';
import { createRuleSuites } from './github/rule-suites.ts';
import { createRulesets } from './github/rulesets.ts';
import { type Crowd, EVENTS, GATING, OPTIONAL, reposOf, SEED, seedFor } from './github/seed.ts';
import { slowAnswers } from './github/slow-answers.ts';
import { apiUrlOf, appPageOf, GITHUB_COM, type SpeaksAs } from './github/speaks-as.ts';
import { type RunningEmulator, startEmulator } from './github/start-emulator.ts';
import { createTokens } from './github/tokens.ts';
import { createWebhooks } from './github/webhooks.ts';
import type { ReceivedMail } from './mail-sink.ts';

/** A running local GitHub. */
export type LocalGitHub = {
  /** `http://localhost:<port>`: pages and OAuth, and on github.com the API. */
  origin: string;
  /** The product's settings to run against it. */
  env: {
    APP_ID: string;
    PRIVATE_KEY: string;
    WEBHOOK_SECRET: string;
    GITHUB_CLIENT_ID: string;
    GITHUB_CLIENT_SECRET: string;
    GITHUB_SERVER_URL: string;
    GITHUB_API_URL: string;
    PUBLIC_URL: string;
  };
  facts: {
    /** A personal token of octocat, who owns both organizations. */
    adminToken: string;
    org: 'octo-org';
    orgID: number;
    installation: number;
    repo: 'hello';
    /** The page of an open pull request. */
    pull: string;
    otherOrg: 'other-org';
    otherOrgID: number;
    otherInstallation: number;
    otherRepo: string;
  };
  /** The App's use of GitHub's rate limits by installation, and how often each went over them. */
  rateLimits: RateLimitControl;
  /** Stops it and cancels deliveries in progress. */
  close(): Promise<void>;
};

type Options = {
  port: number;
  publicUrl: string;
  /** More members, repositories and pull requests for `octo-org`. */
  crowd?: Crowd;
  /** Whether `octo-org` also has the private repository `vault`, with an open pull request. */
  hasVault?: boolean;
  /** Whether `hello` also has a pull request with an agent's commit. */
  hasAgents?: boolean;
  /** Whether a workflow of GitHub Actions runs on each push, as in most repositories. */
  hasWorkflow?: boolean;
  /** The mail that `/_local/mail` shows. Without it, that page doesn't exist. */
  mails?: (() => readonly ReceivedMail[]) | undefined;
  /** The App's private key in PEM; a new one if there is none. Making one takes longer than the rest of the start. */
  privateKey?: string | undefined;
  /** Other limits than GitHub's for requests with installation tokens. */
  rateLimits?: Partial<RateLimits>;
  /** Whether the accounts also granted the App its optional permissions and events. */
  isWatching?: boolean;
  /** Whether the accounts granted the App what it needs to gate deployments, and the environment of the release has its rule. */
  isGating?: boolean;
  /** github.com if it isn't given. */
  speaksAs?: SpeaksAs | undefined;
  /** How many milliseconds each answer takes at least; asked for each request. Immediately if it isn't given. */
  latencyMs?: (() => number) | undefined;
};

const refuseWhileStarting: RequestListener = (_req, res) => void res.writeHead(503).end('Starting');

async function createRouteDeps(
  running: RunningEmulator,
  input: { origin: string; credentials: Credentials; agent: Agent } & Pick<
    Options,
    'publicUrl' | 'mails' | 'rateLimits' | 'speaksAs' | 'isWatching' | 'isGating' | 'hasWorkflow'
  >,
): Promise<RouteDeps> {
  const { origin, credentials, speaksAs = GITHUB_COM } = input;
  const apiUrl = apiUrlOf(speaksAs, origin);
  const appKey = createAppKey(running.privateKey, credentials.clientID);
  const pullOverlay = createPullOverlay();
  const emulator = createEmulatorClient(
    { url: running.url, agent: input.agent },
    credentials.serviceTokens,
    pullOverlay,
  );
  const listed = await emulator.get<Installation[]>('/app/installations', appKey.sign());
  const installations = createInstallations(origin, listed ?? []);
  const more = [...(input.isWatching ? [OPTIONAL] : []), ...(input.isGating ? [GATING] : [])];
  const requested = {
    permissions: Object.assign({ ...NEEDED }, ...more.map(({ permissions }) => permissions)),
    events: [...EVENTS, ...more.flatMap(({ events }) => events)],
  };
  for (const { id } of installations.all()) installations.grant(id, requested);
  const readApp = createAppObject(emulator, (slug) => appPageOf(speaksAs, origin, slug), requested);
  const checks = createChecks(emulator);
  const tokens = createTokens();
  tokens.add(credentials.adminToken, {
    kind: 'personal',
    login: 'octocat',
    emulatorToken: credentials.adminToken,
  });
  const webhooks = createWebhooks({
    origin,
    apiUrl,
    speaksAs,
    url: `${input.publicUrl}/api/github/webhooks`,
    secret: credentials.webhookSecret,
    emulator,
    pullOverlay,
    installations,
    addFields: createCheckFields({ emulator, installations, readApp, checks }).addToEvent,
    // GitHub sends no webhook when a run goes stale. A suite is requested with a push, not when a client reads it.
    isSuppressed: ({ name, payload }) => {
      const { check_run: run, action } = payload as { check_run?: CheckRun; action?: string };
      if (name === 'check_suite' && action === 'requested') return true;
      return name === 'check_run' && action === 'completed' && run !== undefined && checks.isStale(run.id);
    },
  });
  const actions = createActions({ emulator, origin, webhooks, speaksAs });
  return {
    origin,
    apiUrl,
    speaksAs,
    credentials,
    appKey,
    setupUrl: `${input.publicUrl}/org/repositories`,
    privateKey: running.privateKey,
    emulator,
    pullOverlay,
    tokens,
    installations,
    readApp,
    checks,
    hasWorkflow: input.hasWorkflow ?? false,
    formerNames: new Map(),
    rulesets: createRulesets(),
    protections: createProtections(),
    ruleSuites: createRuleSuites(),
    requested,
    behindSso: new Map(),
    webhooks,
    actions,
    roles: createRoles(emulator),
    rates: createRates(input.rateLimits),
    mails: input.mails,
  };
}

const envOf = (deps: RouteDeps, privateKey: string, publicUrl: string): LocalGitHub['env'] => ({
  APP_ID: String(APP.id),
  PRIVATE_KEY: privateKey,
  WEBHOOK_SECRET: deps.credentials.webhookSecret,
  GITHUB_CLIENT_ID: deps.credentials.clientID,
  GITHUB_CLIENT_SECRET: deps.credentials.clientSecret,
  GITHUB_SERVER_URL: deps.origin,
  GITHUB_API_URL: deps.apiUrl,
  PUBLIC_URL: publicUrl,
});

/**
 * Starts a local GitHub on loopback: the emulator `emulate`, behind routes for what it lacks. Webhooks go to
 * `publicUrl` + `/api/github/webhooks`. Port 0 chooses a free port.
 *
 * @throws an Error of one sentence if the port is taken.
 */
export async function startLocalGitHub(options: Options): Promise<LocalGitHub> {
  const publicUrl = options.publicUrl.replace(/\/+$/, '');
  const credentials = createCredentials();
  const { crowd = { members: 0, repositories: 0 }, hasVault = false, hasAgents = false } = options;
  // The emulator closes an idle connection after five seconds; we close it first.
  const agent = new Agent({ keepAlive: true, timeout: 2_000 });
  let handler = refuseWhileStarting;
  const listening = await listenOnLoopback(
    slowAnswers((req, res) => handler(req, res), options.latencyMs ?? (() => 0)),
    options.port,
  );
  const origin = `http://localhost:${listening.port}`;
  const webhookUrl = `http://127.0.0.1:${listening.port}${credentials.webhookPath}`;
  const closers = [listening.close];
  const close = async () => {
    await Promise.all(closers.map((end) => end()));
    agent.destroy();
  };
  try {
    const running = await startEmulator(
      origin,
      seedFor({
        credentials,
        publicUrl,
        webhookUrl,
        crowd,
        hasVault,
        privateKey: options.privateKey,
      }),
      options.privateKey,
    );
    closers.push(running.close);
    const deps = await createRouteDeps(running, { ...options, origin, credentials, agent, publicUrl });
    closers.push(deps.webhooks.close);
    const app = createHttpApp(deps, { target: running.url, agent });
    handler = app;
    await addRelease(deps, { isGating: options.isGating ?? false });
    const initial = await createInitialPull(deps, { monaToken: credentials.monaToken, hasVault, hasAgents });
    if (crowd.pulls) {
      // No webhooks say that these were opened, as if the App was installed later.
      handler = refuseWhileStarting;
      await createCrowdPulls(deps.emulator, {
        repos: reposOf(crowd),
        count: crowd.pulls,
        tokens: [credentials.adminToken, credentials.monaToken],
      });
      handler = app;
    }
    if (options.isWatching) {
      const vault = hasVault ? [`${SEED.org}/${SEED.vault}`] : [];
      await bindEverybody(deps, [...reposOf(crowd), ...vault, `${SEED.otherOrg}/${SEED.otherRepo}`]);
    }
    const { check: _check, vault: _vault, ...names } = SEED;
    const facts = { adminToken: credentials.adminToken, ...names, ...initial };
    const env = envOf(deps, running.privateKey, publicUrl);
    return { origin, env, facts, rateLimits: deps.rates, close };
  } catch (error) {
    await close();
    throw error;
  }
}

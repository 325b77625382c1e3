import { Webhooks } from '@octokit/webhooks';
import type { Logger } from 'pino';
import { Probot, ProbotOctokit } from 'probot';
import { createMemoryLimits, type Limits } from '../limits.ts';
import type { GitHubConfig } from '../settings/config.ts';
import { createAppJwt } from './app-jwt.ts';
import type { GitHubBudget } from './budgets.ts';
import { type Fetch, fetchFromGitHub, type OnAnswer, type WrapSend, withStatusReport } from './fetch.ts';
import { createRequestGate, type RequestGate } from './request-gate.ts';
import { retryOnce } from './retry-once.ts';
import { withTokenRenewal } from './token-renewal.ts';
import type { WriteLimits } from './write-queues.ts';

export type Octokit = ProbotOctokit;

/** The App on GitHub: its bot, and a client for each kind of authentication. */
export type GitHubApp = {
  probot: Probot;
  /** What receives its webhooks. Probot's own would make a client of GitHub for each, which no handler of ours uses. */
  webhooks: Pick<Probot, 'on' | 'webhooks'>;
  /** Authenticated as the App, with its private key. */
  asApp(): Promise<Octokit>;
  /** With an installation token, which is fetched and renewed as needed. */
  asInstallation(id: number): Promise<Octokit>;
  /** With a person's own token. */
  asUser(token: string): Octokit;
  /** With the App's client id and secret, as HTTP Basic. */
  asClient(): Octokit;
  clientId: string;
  /** What is left of GitHub's hourly budgets. */
  budget: GitHubBudget;
};

export type GitHubAppOptions = {
  log: Logger;
  /** Where all processes count their writes; this process alone counts if there are none. */
  limits?: Limits | undefined;
  /** How fast writes are sent to GitHub. */
  writes?: Partial<WriteLimits> | undefined;
  onAnswer?: OnAnswer | undefined;
  /** Gets what sends the requests, and returns what sends them in its place. */
  wrapSend?: WrapSend | undefined;
  /** How long one answer may take. */
  answerMs?: number | undefined;
  /** The pause before a failed request is tried again. */
  retryMs?: number | undefined;
};

const ANSWER_MS = 10_000;
const RETRY_MS = 1_000;

export function createGitHubApp(config: GitHubConfig, options: GitHubAppOptions): GitHubApp {
  const { log, onAnswer, answerMs = ANSWER_MS, retryMs = RETRY_MS } = options;
  const send = fetchFromGitHub(answerMs, options.wrapSend);
  const request = { fetch: onAnswer ? withStatusReport(send, onAnswer) : send };
  const limits = options.limits ?? createMemoryLimits();
  const gate = createRequestGate({ send: request.fetch, limits }, options.writes);
  const Client = ProbotOctokit.plugin(retryOnce(retryMs)) as typeof ProbotOctokit;
  const probot = createProbot(config, { log, request, gate, Client });
  const plain = { baseUrl: config.apiUrl, request, ...NO_PLUGINS, log: warnOnly(log) };
  const client = new Client(plain);
  const basic = Buffer.from(`${config.clientId}:${config.clientSecret}`).toString('base64');
  client.hook.before('request', ({ headers }) => {
    headers.authorization = `basic ${basic}`;
  });
  const webhooks = new Webhooks({ secret: config.webhookSecret, log: warnOnly(log) });
  const installations = new Map<number, Promise<Octokit>>();
  let asApp: Promise<Octokit> | undefined;

  return {
    probot,
    webhooks: { on: webhooks.on as Probot['on'], webhooks: webhooks as unknown as Probot['webhooks'] },
    clientId: config.clientId,
    budget: gate.budget,
    asApp() {
      asApp ??= probot.auth().then((octokit) => gate.guard(octokit, 0));
      return asApp;
    },
    asInstallation(id) {
      const guarded = () => probot.auth(id).then((octokit) => gate.guard(octokit, id));
      const octokit = installations.get(id) ?? guarded().then(withTokenRenewal);
      installations.set(id, octokit);
      return octokit;
    },
    asUser: (token) => new Client({ ...plain, auth: { token } }),
    asClient: () => client,
  };
}

/**
 * Octokit's throttling waits for rate limits, and forever for a Redis that is away: `request-gate.ts` keeps GitHub's
 * limits. `retry-once.ts` sends requests again.
 */
const NO_PLUGINS = { throttle: { enabled: false }, retry: { enabled: false } };

function createProbot(
  config: GitHubConfig,
  deps: { log: Logger; request: { fetch: Fetch }; gate: RequestGate; Client: typeof ProbotOctokit },
): Probot {
  const { log, request, gate } = deps;
  const createJwt = createAppJwt(config.privateKey);
  const Client = deps.Client.defaults((given: Record<string, unknown>) => ({
    ...given,
    auth: withOurRequests(given.auth as AuthOptions, { baseUrl: config.apiUrl, gate, createJwt }),
    ...NO_PLUGINS,
  })) as typeof ProbotOctokit;
  return new Probot({
    appId: config.appId,
    privateKey: config.privateKey,
    secret: config.webhookSecret,
    baseUrl: config.apiUrl,
    log,
    Octokit: Client,
    request,
  });
}

type AuthOptions = {
  installationId?: number;
  privateKey?: string;
  request: { defaults(parameters: { baseUrl: string; request: { fetch: Fetch } }): unknown };
};

/**
 * A renewal of a token is a request of the auth plugin itself, which would pass no gate and go to api.github.com. The
 * plugin also signs a new JWT for each request of the App.
 */
function withOurRequests(
  { privateKey: _signedByUs, ...auth }: AuthOptions,
  our: { baseUrl: string; gate: RequestGate; createJwt: ReturnType<typeof createAppJwt> },
) {
  const fetch = our.gate.fetchFor(auth.installationId ?? 0);
  const request = auth.request.defaults({ baseUrl: our.baseUrl, request: { fetch } });
  return { ...auth, request, createJwt: our.createJwt };
}

/** Octokit's debug lines hold whole bodies, and a body can hold a person's token. */
function warnOnly(log: Logger) {
  const nothing = () => undefined;
  return { debug: nothing, info: nothing, warn: log.warn.bind(log), error: log.error.bind(log) };
}

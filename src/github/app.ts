import type { Logger } from 'pino';
import { Probot, ProbotOctokit } from 'probot';
import type { GitHubConfig } from '../config.ts';
import { createMemoryLimits, type Limits } from '../limits.ts';
import type { GitHubBudget } from './budgets.ts';
import { type Fetch, fetchFromGitHub, withStatusReport } from './fetch.ts';
import { copyRequestOptions, retryOptions } from './octokit-options.ts';
import { createRequestGate, type RequestGate } from './request-gate.ts';
import { withTokenRenewal } from './token-renewal.ts';
import type { WriteLimits } from './write-queues.ts';

export type Octokit = ProbotOctokit;

/** The App on GitHub: its bot, and a client for each kind of authentication. */
export type GitHubApp = {
  probot: Probot;
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
  /** Called for each answer of GitHub's API with its status; 0 if no answer came. */
  onAnswer?: ((status: number) => void) | undefined;
  /** How long one answer may take. */
  answerMs?: number | undefined;
  /** The pause before a failed request is tried again. */
  retryMs?: number | undefined;
};

const ANSWER_MS = 10_000;
const RETRY_MS = 1_000;

export function createGitHubApp(config: GitHubConfig, options: GitHubAppOptions): GitHubApp {
  const { log, onAnswer, answerMs = ANSWER_MS, retryMs = RETRY_MS } = options;
  const send: Fetch = fetchFromGitHub(answerMs);
  const request = { fetch: onAnswer ? withStatusReport(send, onAnswer) : send };
  const retry = retryOptions(retryMs);
  const limits = options.limits ?? createMemoryLimits();
  const gate = createRequestGate({ send: request.fetch, limits }, options.writes);
  const probot = createProbot(config, { log, request, retry, gate });
  const plain = { baseUrl: config.apiUrl, request, retry, throttle: { enabled: false }, log: warnOnly(log) };
  const client = new ProbotOctokit(plain);
  const basic = Buffer.from(`${config.clientId}:${config.clientSecret}`).toString('base64');
  client.hook.before('request', ({ headers }) => {
    headers.authorization = `basic ${basic}`;
  });
  const installations = new Map<number, Promise<Octokit>>();
  let asApp: Promise<Octokit> | undefined;

  return {
    probot,
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
    asUser: (token) => new ProbotOctokit({ ...plain, auth: { token } }),
    asClient: () => client,
  };
}

function createProbot(
  config: GitHubConfig,
  deps: { log: Logger; request: { fetch: Fetch }; retry: object; gate: RequestGate },
): Probot {
  const { log, request, retry, gate } = deps;
  const Client = ProbotOctokit.plugin(copyRequestOptions).defaults((given: Record<string, unknown>) => ({
    ...given,
    auth: withTokenRequests(given.auth as AuthOptions, config.apiUrl, gate),
    retry,
    // It waits for rate limits, and forever for a Redis that is away. `request-gate.ts` keeps GitHub's limits.
    throttle: { enabled: false },
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
  request: { defaults(parameters: { baseUrl: string; request: { fetch: Fetch } }): unknown };
};

/** A renewal of a token is a request of the auth plugin itself, which would pass no gate and go to api.github.com. */
const withTokenRequests = (auth: AuthOptions, baseUrl: string, gate: RequestGate) => ({
  ...auth,
  request: auth.request.defaults({ baseUrl, request: { fetch: gate.fetchFor(auth.installationId ?? 0) } }),
});

/** Octokit's debug lines hold whole bodies, and a body can hold a person's token. */
function warnOnly(log: Logger) {
  const nothing = () => undefined;
  return { debug: nothing, info: nothing, warn: log.warn.bind(log), error: log.error.bind(log) };
}

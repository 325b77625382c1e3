import type { Logger } from 'pino';
import { Probot, ProbotOctokit } from 'probot';
import type { GitHubConfig } from '../../settings/config.ts';
import { systemClock } from '../../shared/clock.ts';
import { createExpiringMap } from '../../shared/expiring-map.ts';
import { createMemoryLimits, type Limits } from '../../shared/limits.ts';
import { fetchFromGitHub, type OnAnswer, type WrapSend } from './fetch.ts';
import { createGitHubHooks, type WriteLimits } from './octokit.ts';
import type { GitHubBudget } from './rate-limits.ts';

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
/** A minute less than GitHub's, as in Octokit's own cache. */
const TOKEN_MS = 59 * 60_000;
/** GitHub's answer would be the same, or it asks us to wait. */
const FINAL = [400, 401, 403, 404, 410, 422, 429, 451];
const ignore = () => undefined;

export function createGitHubApp(config: GitHubConfig, options: GitHubAppOptions): GitHubApp {
  const { log, answerMs = ANSWER_MS, retryMs = RETRY_MS } = options;
  const { appId, privateKey, webhookSecret: secret, apiUrl: baseUrl, clientId } = config;
  const fetch = fetchFromGitHub(answerMs, options);
  const tokens = createExpiringMap<string>(systemClock);
  const limits = options.limits ?? createMemoryLimits();
  const { budget, guard } = createGitHubHooks({ send: fetch, limits, tokens }, options.writes);
  const cache = { get: tokens.get, set: (key: string, token: string) => tokens.set(key, token, TOKEN_MS) };
  // Probot's throttle waits for rate limits, and forever for a Redis that is away: `octokit.ts` keeps GitHub's limits.
  // Octokit's debug lines hold whole bodies, and a body can hold a person's token.
  const Octokit = ProbotOctokit.defaults((given: { auth?: object }) => ({
    ...given,
    auth: { ...given.auth, cache },
    log: { debug: ignore, info: ignore, warn: log.warn.bind(log), error: log.error.bind(log) },
    throttle: { enabled: false },
    retry: { retries: 1, retryAfterBaseValue: retryMs, doNotRetry: FINAL },
  })) as typeof ProbotOctokit;
  const plain = { baseUrl, request: { fetch } };
  // `receive-webhook.ts` logs failures. Probot would log whole payloads.
  const probot = new Probot({
    ...plain,
    appId,
    privateKey,
    secret,
    Octokit,
    log: log.child({}, { level: 'silent' }),
  });
  const client = new Octokit(plain);
  const basic = Buffer.from(`${clientId}:${config.clientSecret}`).toString('base64');
  client.hook.before('request', ({ headers }) => {
    headers.authorization = `basic ${basic}`;
  });
  const clients = new Map<number, Promise<Octokit>>();
  const asInstallation = (id: number) => {
    const octokit = clients.get(id) ?? probot.auth(id).then((made) => guard(made, id));
    clients.set(id, octokit);
    return octokit;
  };
  return {
    probot,
    clientId,
    budget,
    asApp: () => asInstallation(0),
    asInstallation,
    asUser: (token) => new Octokit({ ...plain, auth: { token } }),
    asClient: () => client,
  };
}

import type { Logger } from 'pino';
import { Probot, type ProbotOctokit } from 'probot';
import type { GitHubConfig } from '../../settings/config.ts';
import { createMemoryLimits, type Limits } from '../../shared/limits.ts';
import { fetchFromGitHub, type OnAnswer, type WrapSend } from './fetch.ts';
import { createRequestGuard, createTokens, octokitWith, type WriteLimits } from './octokit.ts';
import type { Budgets } from './rate-limits.ts';

export type Octokit = ProbotOctokit;

/** The App on GitHub: its bot, and a client for each kind of authentication. */
export type GitHubApp = {
  probot: Probot;
  /** Authenticated as the App, with its private key. */
  asApp(): Promise<Octokit>;
  /** Authenticated with an installation token, which is fetched and renewed as needed. Making the client sends no request. */
  asInstallation(id: number): Promise<Octokit>;
  /** Authenticated with a person's own token. */
  asUser(token: string): Octokit;
  /** Authenticated with the App's client id and secret, for requests about people's tokens. */
  asClient(): Octokit;
  clientId: string;
  /** The rest of GitHub's hourly budgets. */
  budget: Omit<Budgets, 'learn'>;
};

type GitHubAppOptions = {
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
  const { log, answerMs = ANSWER_MS, retryMs = RETRY_MS } = options;
  const { appId, privateKey, webhookSecret: secret, apiUrl: baseUrl, clientId, clientSecret } = config;
  const fetch = fetchFromGitHub(answerMs, options);
  const tokens = createTokens();
  const limits = options.limits ?? createMemoryLimits();
  const { budget, guard } = createRequestGuard({ send: fetch, limits, tokens }, options.writes);
  const plain = { baseUrl, request: { fetch } };
  const Octokit = octokitWith({ log, retryMs, tokens });
  // Its log is silent, because it would log whole payloads.
  const silent = log.child({}, { level: 'silent' });
  const probot = new Probot({ ...plain, appId, privateKey, secret, Octokit, log: silent });
  const client = new Octokit({ ...plain, auth: { appId, privateKey, clientId, clientSecret } });
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

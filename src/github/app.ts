import type { Logger } from 'pino';
import { Probot, ProbotOctokit } from 'probot';
import type { GitHubConfig } from '../config.ts';
import { type Fetch, fetchFromGitHub, withStatusReport } from './fetch.ts';
import { copyRequestOptions, throttleOptions } from './octokit-options.ts';
import { withTokenRenewal } from './token-renewal.ts';

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
};

export type GitHubAppOptions = {
  log: Logger;
  redisUrl: string | undefined;
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
  const { log, redisUrl, onAnswer, answerMs = ANSWER_MS, retryMs = RETRY_MS } = options;
  const send: Fetch = fetchFromGitHub(answerMs);
  const request = { fetch: onAnswer ? withStatusReport(send, onAnswer) : send };
  // A person or a webhook waits for most requests, so each is retried only once.
  const retry = { retries: 1, retryAfterBaseValue: retryMs };
  const probot = createProbot(config, { log, redisUrl, request, retry });
  const plain = { baseUrl: config.apiUrl, request, retry, throttle: { enabled: false }, log: warnOnly(log) };
  const client = new ProbotOctokit(plain);
  const basic = Buffer.from(`${config.clientId}:${config.clientSecret}`).toString('base64');
  client.hook.before('request', ({ headers }) => {
    headers.authorization = `basic ${basic}`;
  });
  const installations = new Map<number, Promise<Octokit>>();

  return {
    probot,
    clientId: config.clientId,
    asApp: () => probot.auth(),
    asInstallation(id) {
      const octokit = installations.get(id) ?? probot.auth(id).then(withTokenRenewal);
      installations.set(id, octokit);
      return octokit;
    },
    asUser: (token) => new ProbotOctokit({ ...plain, auth: { token } }),
    asClient: () => client,
  };
}

function createProbot(
  config: GitHubConfig,
  {
    log,
    redisUrl,
    request,
    retry,
  }: { log: Logger; redisUrl: string | undefined; request: { fetch: Fetch }; retry: object },
): Probot {
  const throttle = throttleOptions(redisUrl);
  const Client = ProbotOctokit.plugin(copyRequestOptions).defaults((given: Record<string, unknown>) => ({
    ...given,
    auth: authAt(given.auth as AuthOptions, config.apiUrl),
    retry,
    throttle: { ...(given.throttle as object | undefined), ...throttle },
  })) as typeof ProbotOctokit;
  return new Probot({
    appId: config.appId,
    privateKey: config.privateKey,
    secret: config.webhookSecret,
    baseUrl: config.apiUrl,
    log,
    Octokit: Client,
    request,
    ...(redisUrl !== undefined && { redisConfig: redisUrl }),
  });
}

type AuthOptions = { request: { defaults(parameters: { baseUrl: string }): unknown } };

/** A renewal of a token is a request of the auth plugin itself, which would go to api.github.com. */
const authAt = (auth: AuthOptions, baseUrl: string) => ({
  ...auth,
  request: auth.request.defaults({ baseUrl }),
});

/** Octokit's debug lines hold whole bodies, and a body can hold a person's token. */
function warnOnly(log: Logger) {
  const nothing = () => undefined;
  return { debug: nothing, info: nothing, warn: log.warn.bind(log), error: log.error.bind(log) };
}

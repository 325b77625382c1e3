import Bottleneck from 'bottleneck';
import type { Logger } from 'pino';
import { Probot, ProbotOctokit } from 'probot';
import type { GitHubConfig } from '../config.ts';

export type Octokit = ProbotOctokit;

/** The App at GitHub: its bot, and its clients for each way to be authenticated. */
export type GitHubApp = {
  probot: Probot;
  /** Signed by the App's own key. */
  asApp(): Promise<Octokit>;
  /** With a token of the installation, which is fetched and renewed as needed. */
  asInstallation(id: number): Promise<Octokit>;
  /** With a person's own token. */
  asUser(token: string): Octokit;
  /** With the App's client id and secret, as HTTP Basic. */
  asClient(): Octokit;
  clientId: string;
};

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** No single answer of GitHub is waited for longer. */
const ANSWER_MS = 10_000;

const RETRY_MS = 1_000;

/** Check runs are what we write, and these wait in lanes of their own (`write-lanes.ts`). */
const unlimitedWrites = () =>
  new Bottleneck.Group({ id: 'otp-guard-write', maxConcurrent: 5, timeout: 120_000 });

export function createGitHubApp(
  config: GitHubConfig,
  options: {
    log: Logger;
    redisUrl: string | undefined;
    /** Told of each answer of GitHub's API; 0 where none came. */
    onAnswer?: ((status: number) => void) | undefined;
    /** How long one answer of GitHub is waited for. */
    answerMs?: number | undefined;
    /** The pause before the one more try of a request that failed. */
    retryMs?: number | undefined;
  },
): GitHubApp {
  const bounded = boundedFetch(options.answerMs ?? ANSWER_MS);
  const request = { fetch: options.onAnswer ? counted(bounded, options.onAnswer) : bounded };
  // A person or a webhook waits behind most requests: one more try, and not for long.
  const retry = { retries: 1, retryAfterBaseValue: options.retryMs ?? RETRY_MS };
  // Whoever waits for us is told now; what has to be done is done by a later try of ours.
  const never = () => false;
  const throttle = {
    onRateLimit: never,
    onSecondaryRateLimit: never,
    ...(options.redisUrl === undefined && { write: unlimitedWrites() }),
  };
  const Client = ProbotOctokit.plugin(ownOptions).defaults((given: Record<string, unknown>) => ({
    ...given,
    retry,
    throttle: { ...(given.throttle as object | undefined), ...throttle },
  })) as typeof ProbotOctokit;
  const probot = new Probot({
    appId: config.appId,
    privateKey: config.privateKey,
    secret: config.webhookSecret,
    baseUrl: config.apiUrl,
    log: options.log,
    Octokit: Client,
    request,
    ...(options.redisUrl !== undefined && { redisConfig: options.redisUrl }),
  });
  const plain = {
    baseUrl: config.apiUrl,
    request,
    retry,
    throttle: { enabled: false },
    log: quiet(options.log),
  };
  const basic = Buffer.from(`${config.clientId}:${config.clientSecret}`).toString('base64');
  const client = new ProbotOctokit(plain);
  client.hook.before('request', (asked) => {
    asked.headers.authorization = `basic ${basic}`;
  });
  const installations = new Map<number, Promise<Octokit>>();

  return {
    probot,
    clientId: config.clientId,
    asApp: () => probot.auth(),
    asInstallation(id) {
      const known = installations.get(id) ?? probot.auth(id);
      installations.set(id, known);
      return known;
    },
    asUser: (token) => new ProbotOctokit({ ...plain, auth: { token } }),
    asClient: () => client,
  };
}

/**
 * `fetch` for GitHub's API. A renamed repository or organization answers with a
 * redirect: a read follows it where it stays with GitHub's API; anything else
 * that redirects is not there.
 */
const boundedFetch =
  (answerMs: number): Fetch =>
  async (input, init) => {
    const signals = [AbortSignal.timeout(answerMs), ...(init?.signal ? [init.signal] : [])];
    const bounded: RequestInit = { ...init, redirect: 'manual', signal: AbortSignal.any(signals) };
    const answer = await fetch(input, bounded);
    if (answer.status < 300 || answer.status >= 400 || answer.status === 304) return answer;
    const from = input instanceof Request ? input.url : String(input);
    const location = answer.headers.get('location') ?? '';
    const to = URL.canParse(location, from) ? new URL(location, from) : null;
    const isRead = (init?.method ?? 'GET') === 'GET';
    if (isRead && to?.origin === new URL(from).origin) {
      const there = await fetch(to, bounded);
      if (there.status < 300 || there.status >= 400) return there;
    }
    return Response.json({ message: 'Moved' }, { status: 404 });
  };

/** The retry plugin counts in the options of a request; clients share those, and with them the count. */
function ownOptions(octokit: { hook: ProbotOctokit['hook'] }): void {
  octokit.hook.before('request', (options) => {
    options.request = { ...options.request };
  });
}

/** Counts what GitHub answers. */
function counted(send: Fetch, onAnswer: (status: number) => void): Fetch {
  return async (input, init) => {
    try {
      const answer = await send(input, init);
      onAnswer(answer.status);
      return answer;
    } catch (error) {
      onAnswer(0);
      throw error;
    }
  };
}

/** Octokit's debug lines hold whole bodies, and a body here can hold a person's token. */
function quiet(log: Logger) {
  const nothing = () => undefined;
  return { debug: nothing, info: nothing, warn: log.warn.bind(log), error: log.error.bind(log) };
}

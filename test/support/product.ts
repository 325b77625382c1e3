import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { APP } from '../../demo/github/credentials.ts';
import type { SpeaksAs } from '../../demo/github/speaks-as.ts';
import type { LocalGitHub } from '../../demo/local-github.ts';
import type { Fetch, WrapSend } from '../../src/adapters/github/fetch.ts';
import type { Waits } from '../../src/app/assemble.ts';
import type { Product } from '../../src/app/product.ts';
import { readConfig } from '../../src/settings/config.ts';
import { type Clock, systemClock } from '../../src/shared/clock.ts';
import type { Limits } from '../../src/shared/limits.ts';
import { APP_KEY } from './app-key.ts';
import type { SoftwareAuthenticator } from './authenticator.ts';
import { RATE_LIMITS, WRITES } from './beyond-limits.ts';
import { startLocalGitHub, startLog, startProduct } from './built.ts';
import { checkGitHubAnswer, checkGitHubRequest } from './github-openapi.ts';
import { type Sent, send } from './send.ts';
import { signInAs } from './sign-in.ts';
import { startAll } from './start-all.ts';
import { copyPreparedStore } from './stores.ts';
import { until } from './until.ts';

export { until };

const UNLIMITED: Limits = { take: async () => 0, block: async () => undefined, blockedFor: async () => 0 };

/** A pull request in GitHub's API, with the fields that tests read. */
export type Pull = {
  number: number;
  title: string;
  html_url: string;
  head: { sha: string; ref: string };
  base: { ref: string };
};

/** A check run in GitHub's API, with the fields that tests read. */
export type Run = {
  id: number;
  name: string;
  status: string;
  conclusion: string | null;
  details_url: string;
  output: { title: string; summary: string; text: string };
};

export type Session = {
  login: string;
  token: string;
  accessToken: string;
  record: { id: string; github_id: number };
};

/** The real product with the real record store, against the local GitHub. */
export type TestProduct = ReturnType<typeof clientOf> & {
  dataDir: string;
  github: LocalGitHub;
  log: string[];
  stop(): Promise<void>;
};

/** The product in this process. */
export type OwnProduct = TestProduct & {
  /** Answers the product's requests to GitHub in its place; `null` sends them there again. */
  sendInstead(next: SendInstead | null): void;
  config: Parameters<typeof startProduct>[0];
} & Pick<Product, 'reconcile' | 'firstRound'>;

type SendInstead = (sendRequest: Fetch, ...[url, sent]: Parameters<Fetch>) => Promise<Response>;

export type Answer = Sent & { json<T>(): T };

const answerOf = (sent: Sent): Answer => Object.assign(sent, { json: () => JSON.parse(sent.text) });

/**
 * Below the ports that the system gives to outgoing connections, and a range of its own for each worker. Clients refuse
 * to connect to 10080 (WHATWG Fetch, "bad port").
 */
const FIRST_PORT = 10_100 + (Number(process.env.JEST_WORKER_ID ?? 0) % 12) * 1_800;
let portsTaken = Math.floor(Math.random() * 1_800);

/** A port that nobody listens on, and that nobody else gets before the caller listens on it. */
export async function freePort(): Promise<number> {
  for (;;) {
    portsTaken += 1;
    const port = FIRST_PORT + (portsTaken % 1_800);
    const server = createServer();
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true));
    });
    if (!isFree) continue;
    await new Promise((done) => server.close(done));
    return port;
  }
}

/**
 * Starts a local GitHub and the product. `env` overrides settings, `crowd`, `repositories` and `pulls` add members,
 * repositories and pull requests to the organization, `waits` shortens waits. If the start fails, everything is stopped
 * again.
 */
export function startTestProduct(
  options: {
    clock?: Clock;
    /** github.com if it isn't given. */
    speaksAs?: SpeaksAs | undefined;
    env?: Record<string, string>;
    crowd?: number;
    repositories?: number;
    pulls?: number;
    /** The App's rule protects the environment `release`. */
    isGating?: boolean;
    waits?: Waits;
    /** Lets people call us, and us call GitHub, as often as we like: for tests that ask until something happens. */
    unlimited?: boolean;
  } = {},
): Promise<OwnProduct> {
  return startAll(async (stops) => {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-test-'));
    stops.push(() => rmSync(dataDir, { recursive: true, force: true }));
    if (options.env?.POCKETBASE_URL === undefined) copyPreparedStore(dataDir);
    const { crowd = 0, repositories = 0, pulls = 0, speaksAs, unlimited } = options;
    const github = await startLocalGitHub({
      privateKey: APP_KEY,
      port: 0,
      publicUrl: origin,
      crowd: { members: crowd, repositories, pulls },
      hasWorkflow: true,
      ...(options.isGating && { isGating: true }),
      speaksAs,
      ...(unlimited && { rateLimits: RATE_LIMITS }),
    });
    stops.push(github.close);
    const traffic = checkTraffic(github.env.GITHUB_API_URL);
    const { github: app, ...others } = readConfig({
      ...(speaksAs?.kind === 'enterpriseServer' ? onlyWithServer(github) : github.env),
      PORT: String(port),
      HOST: 'localhost',
      DATA_DIR: dataDir,
      PUBLIC_URL: origin,
      ...options.env,
    });
    if (!app) throw new Error('the local GitHub has no App');
    const config = { ...others, github: app };
    const log: string[] = [];
    let instead: SendInstead | null = null;
    const product = await startProduct(config, {
      log: await startLog((line) => void log.push(line)),
      clock: options.clock ?? systemClock,
      dashboardDir: resolve('dist/web'),
      waits: { retryMs: 100, ...(unlimited && { writes: WRITES }), ...options.waits },
      callLimits: unlimited ? UNLIMITED : undefined,
      wrapSend(send) {
        const checked = traffic.wrapSend(send);
        return (url, sent) => (instead ? instead(checked, url, sent) : checked(url, sent));
      },
    });
    stops.push(traffic.verify, product.stop);
    return {
      ...clientOf({ origin, github }),
      dataDir,
      github,
      log,
      sendInstead(next: SendInstead | null) {
        instead = next;
      },
      config,
      firstRound: product.firstRound,
      reconcile: product.reconcile,
    };
  });
}

/** An operator of an Enterprise Server names only its address. */
function onlyWithServer({ env, origin }: LocalGitHub) {
  const { GITHUB_API_URL: _api, ...rest } = env;
  return { ...rest, GITHUB_SERVER_URL: origin };
}

/**
 * Checks every request that the product sends to GitHub's API, and the local GitHub's answer to it, against GitHub's
 * published description. `verify` throws if one doesn't match it.
 */
function checkTraffic(apiUrl: string): { wrapSend: WrapSend; verify(): void } {
  const problems: string[] = [];
  let count = 0;
  return {
    wrapSend: (sendRequest) => async (url, sent) => {
      count += 1;
      const body = typeof sent?.body === 'string' ? { body: JSON.parse(sent.body) as unknown } : {};
      // GitHub redirects from a former name to the repository's id, which its description leaves out.
      const path = pathInApi(apiUrl, url).replace(/^\/repositories\/\d+(?=\/)/, '/repos/by/id');
      const request = { method: sent?.method ?? 'GET', url: path };
      problems.push(...checkGitHubRequest({ ...request, ...body }));
      const answer = await sendRequest(url, sent);
      const answered = { ...request, status: answer.status, body: await answer.clone().text() };
      problems.push(...checkGitHubAnswer(answered));
      return answer;
    },
    verify() {
      if (problems.length > 0)
        throw new Error(
          `This isn't how requests to GitHub and its answers look:\n${[...new Set(problems)].join('\n')}`,
        );
      if (count === 0) throw new Error('The product sent no request to GitHub.');
    },
  };
}

/** The API of an Enterprise Server is at two addresses. */
const pathInApi = (apiUrl: string, url: string) =>
  url.startsWith(`${apiUrl}/`)
    ? url.slice(apiUrl.length)
    : new URL(url).pathname.replace(/^\/api(?=\/graphql)/, '');

/** A client of the product that runs at `origin`. */
export function clientOf({ origin, github }: { origin: string; github: LocalGitHub }) {
  const asHolder = async <T>(
    accessToken: string,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T> => {
    const root = path.startsWith('/_local/') ? github.origin : github.env.GITHUB_API_URL;
    const request = {
      method,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const first = await send(`${root}${path}`, request);
    const moved = [301, 307].includes(first.status) ? first.headers.get('location') : null;
    const { status, text } = moved === null ? first : await send(moved, request);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return JSON.parse(text === '' ? 'null' : text);
  };
  /** Sends a request to GitHub's API as the organization's administrator. */
  const asAdmin = <T>(method: string, path: string, body?: unknown) =>
    asHolder<T>(github.facts.adminToken, method, path, body);
  const repo = `/repos/${github.facts.org}/${github.facts.repo}`;
  let branches = 0;

  /** Opens a pull request from a new branch of a repository, by the administrator if nobody else is named. */
  const openPull = async (title = 'A change', base = 'main', by?: Session, inRepo = repo): Promise<Pull> => {
    branches += 1;
    const branch = `change-${branches}`;
    const main = await asAdmin<{ object: { sha: string } }>('GET', `${inRepo}/git/ref/heads/main`);
    await asAdmin('POST', `${inRepo}/git/refs`, { ref: `refs/heads/${branch}`, sha: main.object.sha });
    await asAdmin('PUT', `${inRepo}/contents/${branch}.txt`, {
      message: `Add ${branch}`,
      content: Buffer.from(branch).toString('base64'),
      branch,
    });
    const token = by?.accessToken ?? github.facts.adminToken;
    return asHolder(token, 'POST', `${inRepo}/pulls`, { title, head: branch, base });
  };

  /** The App's runs: a workflow has its own on each commit. */
  const runs = async (head: string): Promise<Run[]> => {
    const path = `${repo}/commits/${head}/check-runs?filter=all&app_id=${APP.id}`;
    return (await asAdmin<{ check_runs: Run[] }>('GET', path)).check_runs;
  };

  return {
    origin,
    asAdmin,
    openPull,
    runs,
    async signIn(login: string): Promise<Session> {
      const { token, record, meta } = await signInAs({ origin, github }, login);
      return { login, token, record, accessToken: meta.accessToken };
    },
    /** Sends a product call. */
    async call(path: string, body: unknown, session: Partial<Session> = {}, headers = {}): Promise<Answer> {
      const answer = await send(`${origin}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(session.token !== undefined && { authorization: session.token }),
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      return answerOf(answer);
    },
    /** Deletes an authenticator; with `lostSince` as lost or stolen. */
    async remove(
      collection: string,
      id: string,
      session: Partial<Session>,
      stepUp?: unknown,
      lostSince?: string,
    ): Promise<Answer> {
      const answer = await send(`${origin}/api/collections/${collection}/records/${id}`, {
        method: 'DELETE',
        headers: {
          ...(session.token !== undefined && { authorization: session.token }),
          ...(session.accessToken !== undefined && { 'x-github-token': session.accessToken }),
          ...(stepUp !== undefined && {
            'x-step-up': typeof stepUp === 'string' ? stepUp : JSON.stringify(stepUp),
          }),
          ...(lostSince !== undefined && { 'x-lost-since': lostSince }),
        },
      });
      return answerOf(answer);
    },
    /** Opens a pull request and waits for its pending check run; `details` is that run's link. */
    async pendingPull(...input: Parameters<typeof openPull>): Promise<Pull & { details: string }> {
      const pull = await openPull(...input);
      const [run] = await until('the pending run', async () => {
        const found = await runs(pull.head.sha);
        return found.length === 1 && found;
      });
      return { ...pull, details: run?.details_url ?? '' };
    },
  };
}

/** The fields of a product call that name the head to approve. */
export function targetOf(product: TestProduct, pull: Pull) {
  const { facts } = product.github;
  return {
    installation: facts.installation,
    owner: facts.org,
    ownerID: facts.orgID,
    repo: facts.repo,
    pr: pull.number,
    head: pull.head.sha,
    /** Only an approval by code takes it. */
    base: pull.base.ref,
  };
}

export type ParamsAnswer = {
  challenge: string;
  options: { challenge: string; allowCredentials: { id: string }[] };
  statement: { nonce: string; head: string; iat: number };
  target: object;
};

/** Requests the options to approve a head; throws if the product refuses. */
export async function approvalOptions(
  product: TestProduct,
  session: Session,
  target: object,
): Promise<ParamsAnswer> {
  const answer = await product.call(
    '/github-check-webauthn-params',
    { type: 'webauthn', ...target, accessToken: session.accessToken },
    session,
  );
  if (answer.status !== 200) throw new Error(`approval options: ${answer.status} ${answer.text}`);
  return answer.json<ParamsAnswer>();
}

/** Approves a head with this assertion. */
export const sendAssertion = (
  product: TestProduct,
  session: Session,
  params: object,
  authResponse: unknown,
) =>
  product.call('/github-check-webauthn', { params, authResponse, accessToken: session.accessToken }, session);

/** Approves a pull request with this key. */
export async function approveBy(
  product: TestProduct,
  session: Session,
  key: SoftwareAuthenticator,
  pull: Pull,
): Promise<Answer> {
  const params = targetOf(product, pull);
  const { options } = await approvalOptions(product, session, params);
  return sendAssertion(product, session, params, key.get(options));
}

/** Approves a pull request with a registered key; throws if the product refuses. */
export async function approveByKey(...input: Parameters<typeof approveBy>): Promise<void> {
  const answer = await approveBy(...input);
  if (answer.status !== 200) throw new Error(`approval: ${answer.status} ${answer.text}`);
}

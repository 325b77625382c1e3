import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pino from 'pino';
import type { Waits } from '../../src/assemble.ts';
import { type Clock, systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { type LocalGitHub, startLocalGitHub } from '../../src/demo/local-github.ts';
import { startProduct } from '../../src/product.ts';
import { SoftwareAuthenticator } from './authenticator.ts';
import { checkGitHubRequest } from './github-openapi.ts';
import { codeFor } from './sign-in-code.ts';

/** What GitHub's API answers of a pull request, as far as a test looks. */
export type Pull = {
  number: number;
  title: string;
  html_url: string;
  head: { sha: string; ref: string };
  base: { ref: string };
};

/** What GitHub's API answers of a check run, as far as a test looks. */
export type Run = {
  id: number;
  name: string;
  status: string;
  conclusion: string | null;
  details_url: string;
  output: { title: string; summary: string };
};

export type Session = {
  login: string;
  token: string;
  accessToken: string;
  record: { id: string; github_id: number };
};

/** The real product over the real record store, against the local GitHub. */
export type TestProduct = {
  origin: string;
  dataDir: string;
  github: LocalGitHub;
  log: string[];
  signIn(login: string): Promise<Session>;
  /** A product call; the answer as text. */
  call(
    path: string,
    body: unknown,
    session?: Partial<Session>,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** The guarded deletion of an authenticator. */
  remove(collection: string, id: string, session: Partial<Session>, stepUp?: unknown): Promise<Answer>;
  /** GitHub's API as the organization's administrator. */
  asAdmin<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** As `openPull`, once its head has its pending run; `details` is where that leads. */
  pendingPull(title?: string, base?: string): Promise<Pull & { details: string }>;
  /** A new pull request of the organization's repository, from a branch of its own. */
  openPull(title?: string, base?: string): Promise<Pull>;
  runs(head: string): Promise<Run[]>;
  stop(): Promise<void>;
};

export type Answer = { status: number; text: string; headers: Headers; json<T>(): T };

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** Waits until `look` finds something; fails with what it is about after a while. */
export async function until<T>(
  about: string,
  look: () => Promise<T | null | undefined | false>,
  patienceMs = 45_000,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`waited too long for ${about}`);
    await new Promise((again) => setTimeout(again, 20));
  }
}

/**
 * `env`: settings over those that the local GitHub gives. `crowd`: how many more people its organization has;
 * `repositories`: how many more repositories; `waits`: what is to be shorter. A start that fails leaves nothing behind.
 */
export async function startTestProduct(
  options: {
    clock?: Clock;
    env?: Record<string, string>;
    crowd?: number;
    repositories?: number;
    waits?: Waits;
  } = {},
): Promise<TestProduct> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const github = await startLocalGitHub({
    port: 0,
    publicUrl: origin,
    crowd: { members: options.crowd ?? 0, repositories: options.repositories ?? 0 },
  });
  const dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-test-'));
  const watch = watchGitHubRequests(github.origin);
  const clear = async () => {
    watch.end();
    await github.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const log: string[] = [];
  try {
    const config = readConfig({
      ...github.env,
      PORT: String(port),
      HOST: 'localhost',
      DATA_DIR: dataDir,
      PUBLIC_URL: origin,
      ...options.env,
    });
    if (!config.github) throw new Error('the local GitHub has no App');
    const product = await startProduct(
      { ...config, github: config.github },
      {
        log: pino({ level: 'trace' }, { write: (line: string) => void log.push(line) }),
        clock: options.clock ?? systemClock,
        dashboardDir: resolve('dist/web'),
        waits: options.waits ?? {},
      },
    );
    return {
      ...clientOf({ origin, github }),
      dataDir,
      github,
      log,
      async stop() {
        try {
          await product.stop();
        } finally {
          await clear();
        }
        watch.check();
      },
    };
  } catch (error) {
    await clear();
    throw error;
  }
}

/**
 * Checks every request that the product sends to GitHub's API against its
 * published description; `check` fails with those that do not follow it.
 */
function watchGitHubRequests(githubOrigin: string): { end(): void; check(): void } {
  const original = globalThis.fetch;
  const problems: string[] = [];
  let count = 0;
  globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    const url = String(input instanceof Request ? input.url : input);
    // The product's client names itself; the tests' own requests do not.
    if (url.startsWith(githubOrigin) && headers.get('user-agent')?.includes('probot/')) {
      count += 1;
      const body = typeof init?.body === 'string' ? { body: JSON.parse(init.body) as unknown } : {};
      const asked = { method: init?.method ?? 'GET', url: url.slice(githubOrigin.length), ...body };
      problems.push(...checkGitHubRequest(asked));
    }
    return original(input, init);
  };
  return {
    end() {
      globalThis.fetch = original;
    },
    check() {
      if (problems.length > 0) throw new Error(`requests that GitHub does not know:\n${problems.join('\n')}`);
      if (count === 0) throw new Error('no request of the product to GitHub was seen');
    },
  };
}

type Client = Omit<TestProduct, 'dataDir' | 'github' | 'log' | 'stop'>;

/** The verbs of a test against a product that runs at `origin`. */
export function clientOf({ origin, github }: { origin: string; github: LocalGitHub }): Client {
  const asAdmin: TestProduct['asAdmin'] = async (method, path, body) => {
    const answer = await fetch(`${github.origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${github.facts.adminToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const repo = `/repos/${github.facts.org}/${github.facts.repo}`;
  let branches = 0;

  const client: Client = {
    origin,
    asAdmin,
    signIn: (login) => signIn(origin, github.origin, login),
    async call(path, body, session = {}, headers = {}) {
      const answer = await fetch(`${origin}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(session.token !== undefined && { authorization: session.token }),
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      const text = await answer.text();
      return { status: answer.status, text, headers: answer.headers, json: () => JSON.parse(text) };
    },
    async remove(collection, id, session, stepUp) {
      const answer = await fetch(`${origin}/api/collections/${collection}/records/${id}`, {
        method: 'DELETE',
        headers: {
          ...(session.token !== undefined && { authorization: session.token }),
          ...(session.accessToken !== undefined && { 'x-github-token': session.accessToken }),
          ...(stepUp !== undefined && {
            'x-step-up': typeof stepUp === 'string' ? stepUp : JSON.stringify(stepUp),
          }),
        },
      });
      const text = await answer.text();
      return { status: answer.status, text, headers: answer.headers, json: () => JSON.parse(text) };
    },
    async openPull(title = 'A change', base = 'main') {
      branches += 1;
      const branch = `change-${branches}`;
      const main = await asAdmin<{ object: { sha: string } }>('GET', `${repo}/git/ref/heads/main`);
      await asAdmin('POST', `${repo}/git/refs`, { ref: `refs/heads/${branch}`, sha: main.object.sha });
      await asAdmin('PUT', `${repo}/contents/${branch}.txt`, {
        message: `Add ${branch}`,
        content: Buffer.from(branch).toString('base64'),
        branch,
      });
      return asAdmin<Pull>('POST', `${repo}/pulls`, { title, head: branch, base });
    },
    async runs(head) {
      const found = await asAdmin<{ check_runs: Run[] }>(
        'GET',
        `${repo}/commits/${head}/check-runs?filter=all`,
      );
      return found.check_runs;
    },
    async pendingPull(title, base) {
      const pull = await client.openPull(title, base);
      const [run] = await until('the pending run', async () => {
        const runs = await client.runs(pull.head.sha);
        return runs.length === 1 && runs;
      });
      return { ...pull, details: run?.details_url ?? '' };
    },
  };
  return client;
}

/** Signs in the way a browser does: GitHub's page, its code, the record store's exchange. */
async function signIn(origin: string, githubOrigin: string, login: string): Promise<Session> {
  const code = await codeFor({ origin, github: { origin: githubOrigin } }, login);
  const answer = await fetch(`${origin}/api/collections/gh_users/auth-with-oauth2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(code),
  });
  if (!answer.ok) throw new Error(`sign-in failed: ${answer.status} ${await answer.text()}`);
  const { token, record, meta } = (await answer.json()) as {
    token: string;
    record: Session['record'];
    meta: { accessToken: string };
  };
  return { login, token, record, accessToken: meta.accessToken };
}

/** The fields that name a head to approve. */
export function targetOf(product: TestProduct, pull: Pull) {
  const { facts } = product.github;
  return {
    installation: facts.installation,
    owner: facts.org,
    ownerID: facts.orgID,
    repo: facts.repo,
    pr: pull.number,
    head: pull.head.sha,
  };
}

/** Registers a passkey for the person in the organization; fails where the product refuses. */
export async function registerPasskey(
  product: TestProduct,
  session: Session,
  org: { org: string; orgID: number } = { org: product.github.facts.org, orgID: product.github.facts.orgID },
  authenticator = new SoftwareAuthenticator(product.origin),
): Promise<SoftwareAuthenticator> {
  const params = { label: `Passkey of ${session.login}`, type: 'passkey', ...org };
  const asked = await product.call(
    '/github-register-authenticator-params',
    { ...params, accessToken: session.accessToken },
    session,
  );
  if (asked.status !== 200) throw new Error(`registration options: ${asked.status} ${asked.text}`);
  const pkCreds = authenticator.create(asked.json<{ options: { challenge: string } }>().options);
  const answer = await product.call(
    '/github-register-passkey',
    { params, pkCreds, accessToken: session.accessToken },
    session,
  );
  if (answer.status !== 200) throw new Error(`registration: ${answer.status} ${answer.text}`);
  return authenticator;
}

export type ParamsAnswer = {
  challenge: string;
  options: { challenge: string; allowCredentials: { id: string }[] };
  statement: { nonce: string; head: string; iat: number };
};

/** The options to approve a head; fails where the product refuses. */
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

// The parts of latency benchmarks, each in a process of its own: a local GitHub whose answers can take long, the
// product, a bare Probot, and a person with a passkey.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../scripts/free-port.js';
import { createPasskey } from './passkey.js';

/** Milliseconds on a clock that all processes share. */
export const now = () => Number(process.hrtime.bigint()) / 1e6;

/** Starts one of the programs beside this file, and ends it with this process. */
export async function startProcess(file, { args = [], env = {} } = {}) {
  const child = fork(join(import.meta.dirname, file), args, { env: { ...process.env, ...env } });
  const ready = await new Promise((resolve, reject) => {
    child.on('message', (message) => message.ready && resolve(message.ready));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  return {
    child,
    ready,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

/** A local GitHub that sends its webhooks to `publicUrl`, and a log of the requests it got. */
export async function startGitHub(options) {
  const { child, ready, stop } = await startProcess('github-process.js', { args: [JSON.stringify(options)] });
  const [requests, answers] = [createLog(), createLog()];
  child.on('message', ({ request, answer }) => {
    if (request) requests.add(request);
    if (answer) answers.add(answer);
  });
  return {
    ...ready,
    requests: requests.all,
    answers: answers.all,
    stop,
    async answerAfter(latencyMs) {
      child.send({ latencyMs });
      await once(child, 'message');
    },
    /** The first request from this one on that matches. */
    request: requests.find,
    /** The first answer from this one on to a request that matches. */
    answer: answers.find,
    asAdmin: (method, path, body) => callAsAdmin(ready, method, path, body),
  };
}

/** Waits until nobody asks GitHub anything: the product goes on after it created a run. */
export async function quiet({ requests }) {
  for (let seen = -1; seen !== requests.length; ) {
    seen = requests.length;
    await new Promise((done) => setTimeout(done, 250));
  }
}

function createLog() {
  const all = [];
  const waiting = new Set();
  return {
    all,
    add(one) {
      all.push(one);
      for (const look of waiting) look();
    },
    async find(from, matches) {
      for (;;) {
        const found = all.slice(from).find(matches);
        if (found) return found;
        await new Promise((done) => {
          const look = () => waiting.delete(look) && done();
          waiting.add(look);
        });
      }
    },
  };
}

export const isCreate = ({ method, path }) => method === 'POST' && path.endsWith('/check-runs');
export const isUpdate = ({ method, path }) => method === 'PATCH' && /\/check-runs\/\d+$/.test(path);

let branches = 0;

/** Opens a pull request from a new branch. */
export async function openPull(github, title = 'Change') {
  branches += 1;
  const branch = `change-${branches}`;
  const call = (method, path, body) => github.asAdmin(method, path, body);
  const main = await call('GET', '/git/ref/heads/main');
  await call('POST', '/git/refs', { ref: `refs/heads/${branch}`, sha: main.object.sha });
  const content = Buffer.from(branch).toString('base64');
  await call('PUT', `/contents/${branch}.txt`, { message: branch, content, branch });
  return call('POST', '/pulls', { title, head: branch, base: 'main' });
}

/** The address that the check of a pull request links, once it has one. */
export async function addressOf(github, { head }) {
  for (;;) {
    const { check_runs: runs } = await github.asAdmin('GET', `/commits/${head.sha}/check-runs`);
    if (runs[0]) return runs[0].details_url;
    await delay(50);
  }
}

/** What the unit of systemd and the image pass to Node. */
const [, NODE_OPTIONS] = /^Environment="NODE_OPTIONS=(.+)"$/m.exec(
  readFileSync(new URL('../packaging/otp-guard.service', import.meta.url), 'utf8'),
);

/** A product over its own record store. */
export async function startProduct(github, { port, env = {}, dataDir = newFolder() }) {
  const origin = `http://localhost:${port}`;
  const settings = {
    ...github.env,
    PORT: String(port),
    HOST: 'localhost',
    DATA_DIR: dataDir,
    PUBLIC_URL: origin,
    NODE_OPTIONS,
  };
  const product = await startProcess('product-process.js', { env: { ...settings, ...env } });
  return { ...product, origin, github, countInARow: (work) => countInARow(product.child, github, work) };
}

/**
 * How many of the product's requests to GitHub, and to its record store, came one after the other while somebody waited
 * for this work: each began after the answer of the one before.
 */
async function countInARow(child, github, work) {
  const ask = async (message) => {
    child.send(message);
    const [answer] = await once(child, 'message');
    return answer;
  };
  await ask('count');
  await work();
  const to = now();
  const { asked } = await ask('counted');
  const during = asked.filter((one) => one.to !== null && one.to <= to);
  const isToGitHub = ({ url }) => url.startsWith(github.origin);
  return {
    github: longestRow(during.filter(isToGitHub)),
    store: longestRow(during.filter((one) => !isToGitHub(one))),
  };
}

function longestRow(requests) {
  const rows = new Map();
  for (const one of requests.toSorted((a, b) => a.from - b.from)) {
    const before = [...rows].filter(([{ to }]) => to <= one.from).map(([, row]) => row);
    rows.set(one, 1 + Math.max(0, ...before));
  }
  return Math.max(0, ...rows.values());
}

export async function startBareProbot(github, { port, env = {} }) {
  const bare = await startProcess('bare-probot.js', { env: { ...github.env, PORT: String(port), ...env } });
  return { ...bare, origin: `http://localhost:${port}` };
}

/** Receives the local GitHub's webhooks instead of an App, to send them later. */
export async function startInbox() {
  const port = await freePort();
  const received = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const {
      host: _host,
      connection: _connection,
      'transfer-encoding': _encoding,
      ...headers
    } = request.headers;
    received.push({ headers, body: Buffer.concat(chunks) });
    response.end();
  }).listen(port, 'localhost');
  return {
    origin: `http://localhost:${port}`,
    /** The webhook that says that this pull request was opened. */
    async opened({ number }) {
      for (;;) {
        const next = received.shift();
        if (next === undefined) await once(server, 'request').then(() => new Promise(setImmediate));
        else if (isOpened(next, number)) return next;
      }
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function isOpened({ headers, body }, wanted) {
  if (headers['x-github-event'] !== 'pull_request') return false;
  const { action, number } = JSON.parse(body);
  return action === 'opened' && number === wanted;
}

/** Sends a webhook on, and resolves to when it was sent. */
export async function deliver(origin, { headers, body }) {
  const at = now();
  const answer = await fetch(`${origin}/api/github/webhooks`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`webhook: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
  return at;
}

/** Signs a person in who has a passkey. */
export async function enrol(product, login) {
  const { facts } = product.github;
  const { token, meta } = await signIn(product, login);
  const session = { token, accessToken: meta.accessToken };
  const passkey = createPasskey(product.origin);
  const params = { label: login, type: 'passkey', org: facts.org, orgID: facts.orgID };
  const { accessToken } = session;
  const { options } = await post(product.origin, session, '/github-register-authenticator-params', {
    ...params,
    accessToken,
  });
  const pkCreds = passkey.create(options);
  await post(product.origin, session, '/github-register-passkey', { params, pkCreds, accessToken }).catch(
    okIfText,
  );
  return { ...session, passkey };
}

/** Requests the options to approve a pull request. */
export function approvalOptions(product, person, pull) {
  const { accessToken } = person;
  const target = targetOf(product.github.facts, pull);
  return post(product.origin, person, '/github-check-webauthn-params', {
    type: 'webauthn',
    ...target,
    accessToken,
  });
}

/** Approves it with these options, or with what was signed before. */
export function approve(product, person, pull, { options, authResponse = sign(person, { options }) }) {
  const { accessToken } = person;
  const params = targetOf(product.github.facts, pull);
  return post(product.origin, person, '/github-check-webauthn', { params, authResponse, accessToken });
}

/** The answer of the person's authenticator. */
export const sign = ({ passkey }, { options }) => passkey.get(options);

function targetOf({ installation, org: owner, orgID: ownerID }, { number: pr, head, base }) {
  return { installation, owner, ownerID, repo: base.repo.name, repoID: base.repo.id, pr, head: head.sha };
}

function okIfText(error) {
  if (!(error instanceof SyntaxError)) throw error;
}

export function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'otp-guard-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Signs in as a browser does: GitHub's sign-in page, then the exchange of its code. */
async function signIn({ origin, github }, login) {
  const { oauth2 } = await get(origin, { token: '' }, '/api/collections/gh_users/auth-methods');
  const [provider] = oauth2.providers;
  const redirectURL = `${origin}/oauth`;
  const { searchParams } = new URL(`${provider.authURL}${encodeURIComponent(redirectURL)}`);
  const chosen = await fetch(`${github.origin}/login/oauth/callback`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      login,
      redirect_uri: redirectURL,
      scope: '',
      state: searchParams.get('state'),
      client_id: searchParams.get('client_id'),
    }),
  });
  const code = new URL(chosen.headers.get('location')).searchParams.get('code');
  const answer = { provider: 'github', code, codeVerifier: provider.codeVerifier, redirectURL };
  return post(origin, { token: '' }, '/api/collections/gh_users/auth-with-oauth2', answer);
}

/** The person's record with their organizations, and a new token. */
export function refresh(origin, session) {
  return post(origin, session, '/api/collections/gh_users/auth-refresh?expand=org_members_via_user.org', {});
}

export async function get(origin, session, path) {
  return read(path, await fetch(`${origin}${path}`, { headers: { authorization: session.token } }));
}

export async function post(origin, session, path, body) {
  const headers = {
    'content-type': 'application/json',
    ...(session.token && { authorization: session.token }),
  };
  return read(path, await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function read(path, answer) {
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Calls the local GitHub about a repository, as an administrator of it. */
async function callAsAdmin({ origin, facts }, method, path, body) {
  const { org, repo, adminToken } = facts;
  const answer = await fetch(`${origin}/repos/${org}/${repo}${path}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

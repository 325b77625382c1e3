// The built product as a process, with a local GitHub and a mail server in this one.
import { spawn } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const root = dirname(dirname(import.meta.dirname));
const UNLIMITED = { contentPerMinute: 1e9, contentPerHour: 1e9, requestsPerHour: 1e6 };

/** Starts everything and waits for the first round. `stop` keeps nothing; `stopProduct` keeps the record store. */
export async function startWorld() {
  const { startLocalGitHub } = await import(join(root, 'dist-demo/demo/local-github.js'));
  const { startMailSink } = await import(join(root, 'dist-demo/demo/mail-sink.js'));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const sink = await startMailSink();
  const github = await startLocalGitHub({ port: 0, publicUrl: origin, rateLimits: UNLIMITED });
  const recorder = recordRequests(github);
  const dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-goldens-'));
  const child = spawn(process.execPath, [join(root, 'dist/program/otp-guard.js'), 'start'], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      ...github.env,
      PORT: String(port),
      HOST: 'localhost',
      DATA_DIR: dataDir,
      TRUST_PROXY: '1',
      LOG_LEVEL: 'warn',
      SMTP_URL: sink.url,
      MAIL_FROM: 'otp-guard@example.org',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => log.push(String(chunk)));
  const stopProduct = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  const world = {
    ...{ origin, port, github, facts: github.facts, log, dataDir, recorder, mails: sink.mails, stopProduct },
    async stop() {
      await stopProduct();
      await github.close();
      await sink.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  await until(
    'the product',
    async () => {
      if (child.exitCode !== null) throw new Error(`The product ended: ${log.join('')}`);
      return (await send(`${origin}/readyz`).catch(() => ({}))).status === 200;
    },
    60_000,
  );
  await recorder.quiet(1_500);
  return { ...world, ...clientOf(world) };
}

/** What a person, an administrator of GitHub and the App's webhooks do. */
function clientOf({ origin, github, recorder }) {
  const { facts, env } = github;
  let sent = 0;
  const call = (path, body, session = {}, headers = {}) => {
    sent += 1;
    return send(`${origin}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        // Each request comes from another address, because limits of addresses aren't what is compared.
        'x-forwarded-for': `10.0.${(sent >> 8) & 255}.${sent & 255}`,
        ...(session.token && { authorization: session.token }),
        ...headers,
      },
      body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
    });
  };
  const must = async (path, body, session) => {
    const answer = await call(path, body, session);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.text.startsWith('{') ? JSON.parse(answer.text) : answer.text;
  };
  const asHolder = async (token, method, path, body) => {
    const answer = await send(`${github.origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if ([301, 307].includes(answer.status))
      return asHolder(token, method, answer.headers.location.slice(github.origin.length), body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.text === '' ? undefined : JSON.parse(answer.text);
  };
  const asAdmin = (...given) => asHolder(facts.adminToken, ...given);
  return {
    call,
    must,
    asAdmin,
    asHolder,
    /** Sends a request to the record store's guarded API. */
    send: (path, session, method = 'GET', headers = {}) =>
      send(`${origin}${path}`, {
        method,
        headers: { authorization: session.token, 'x-github-token': session.accessToken, ...headers },
      }),
    /** Sends a webhook as GitHub does. */
    async deliver(event, payload) {
      const { createHmac, randomUUID } = await import('node:crypto');
      const body = JSON.stringify(payload);
      const signature = createHmac('sha256', env.WEBHOOK_SECRET).update(body).digest('hex');
      return send(`${origin}/api/github/webhooks`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-github-event': event,
          'x-github-delivery': randomUUID(),
          'x-hub-signature-256': `sha256=${signature}`,
        },
        body,
      });
    },
    /** Signs in as a browser does. */
    async signIn(login) {
      const methods = await send(`${origin}/api/collections/gh_users/auth-methods`);
      const [provider] = JSON.parse(methods.text).oauth2.providers;
      const redirectURL = `${origin}/oauth`;
      const asked = new URL(`${provider.authURL}${encodeURIComponent(redirectURL)}`).searchParams;
      const form = new URLSearchParams({
        ...{ login, redirect_uri: redirectURL, scope: '', state: asked.get('state') ?? '' },
        client_id: asked.get('client_id') ?? '',
      });
      const chosen = await send(`${github.origin}/login/oauth/callback`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
      });
      const code = new URL(chosen.headers.location).searchParams.get('code');
      const answer = await send(`${origin}/api/collections/gh_users/auth-with-oauth2`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          provider: 'github',
          code,
          codeVerifier: provider.codeVerifier,
          redirectURL,
        }),
      });
      if (answer.status !== 200) throw new Error(`sign-in: ${answer.status} ${answer.text}`);
      const { token, record, meta } = JSON.parse(answer.text);
      return { login, token, record, accessToken: meta.accessToken };
    },
    /** Opens a pull request from a new branch. */
    async openPull(branch, { title = `Add ${branch}`, base = 'main', by = facts.adminToken } = {}) {
      const repo = `/repos/${facts.org}/${facts.repo}`;
      const from = await asAdmin('GET', `${repo}/git/ref/heads/${base}`);
      await asAdmin('POST', `${repo}/git/refs`, { ref: `refs/heads/${branch}`, sha: from.object.sha });
      const content = Buffer.from(branch).toString('base64');
      await asAdmin('PUT', `${repo}/contents/${branch}.txt`, { message: `Add ${branch}`, content, branch });
      const body = { title, head: branch, base };
      const path = by === 'agent' ? `/_local/pulls/${facts.org}/${facts.repo}` : `${repo}/pulls`;
      const pull = await asHolder(by === 'agent' ? facts.adminToken : by, 'POST', path, body);
      await recorder.quiet();
      return pull;
    },
  };
}

/** Records the requests that the local GitHub gets from the product: all but ours, and its own with our token. */
function recordRequests({ origin, facts }) {
  let [requests, open, last] = [[], 0, Date.now()];
  subscribe('http.server.request.start', ({ request: incoming, response }) => {
    const { host, authorization = '', 'user-agent': agent } = incoming.headers;
    if (`http://${host}` !== origin || agent === 'goldens' || authorization.includes(facts.adminToken))
      return;
    if (/^\/(_local|login)\//.test(incoming.url)) return;
    const chunks = [];
    const push = incoming.push;
    incoming.push = function pushAndKeep(chunk, ...rest) {
      if (chunk) chunks.push(chunk);
      return push.call(this, chunk, ...rest);
    };
    const one = { method: incoming.method, url: incoming.url, chunks };
    requests.push(one);
    open += 1;
    response.once('close', () => {
      one.status = response.statusCode;
      open -= 1;
      last = Date.now();
    });
  });
  return {
    /** Waits until the product has sent nothing for a while. */
    async quiet(ms = 700) {
      last = Date.now();
      while (open > 0 || Date.now() - last < ms) await sleep(25);
    },
    /** Returns the requests since the last time, with their bodies. */
    take() {
      const taken = requests;
      requests = [];
      return taken.map(({ chunks, ...one }) => ({ ...one, body: Buffer.concat(chunks).toString() }));
    },
  };
}

/** Sends a request without anything that `fetch` would add. */
export async function send(url, { method = 'GET', headers = {}, body } = {}) {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const answer = await new Promise((done, failed) => {
    const options = { method, headers: { 'user-agent': 'goldens', ...headers, ...length }, agent: false };
    request(url, options, done).once('error', failed).end(body);
  });
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
}

export async function until(what, check, ms = 15_000) {
  const end = Date.now() + ms;
  for (;;) {
    const found = await check();
    if (found) return found;
    if (Date.now() > end) throw new Error(`${what}: nothing in ${ms} ms`);
    await sleep(100);
  }
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** The text with addresses, ids, hashes and times by names. `known` maps values to names. */
export function normalise({ origin, github }, value, known = {}) {
  const { facts } = github;
  const names = {
    ...{ [origin]: '{product}', [github.origin]: '{github}', [encodeURIComponent(origin)]: '{product}' },
    [encodeURIComponent(github.origin)]: '{github}',
    ...known,
  };
  let result = value;
  for (const [from, to] of Object.entries(names)) result = result.replaceAll(from, to);
  return result
    .replace(new RegExp(`\\b${facts.installation}\\b`, 'g'), '{installation}')
    .replace(/(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])/g, '{sha}')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z| UTC)?/g, '{time}');
}

import { createHmac, generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { LocalGitHub } from '../../demo/local-github.ts';
import { readConfig } from '../../src/settings/config.ts';
import { StartError } from '../../src/start-error.ts';
import { APP_KEY } from '../support/app-key.ts';
import { startLocalGitHub, startProduct } from '../support/built.ts';
import { freePort, until } from '../support/product.ts';
import { raw, SECRET_KEY, signInAs, silent, startEmptyStore } from '../support/product-over-store.ts';
import { PROGRAM } from '../support/program.ts';
import { type Env, processesOf, Running } from '../support/running.ts';
import { setUpBrowser } from '../support/set-up-browser.ts';
import { LONG_PATIENCE_MS } from '../support/until.ts';

// Each test starts processes, and some wait for what the product does every half a minute.
jest.setTimeout(180_000);

const SENTENCE = /^[A-Z][^\n{}]{10,250}$/;

const running: Running[] = [];
const start = (env: Env, options: ConstructorParameters<typeof Running>[1] = {}) => {
  const started = new Running(env, options);
  running.push(started);
  return started;
};
afterEach(async () => {
  for (const one of running.splice(0)) await one.clear();
});

const scratches: string[] = [];
/** An empty folder of this file's own. */
const scratch = () => {
  const folder = mkdtempSync(join(tmpdir(), 'otp-guard-scratch-'));
  scratches.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of scratches) rmSync(folder, { recursive: true, force: true });
});

let github: LocalGitHub;
beforeAll(async () => {
  github = await startLocalGitHub({ privateKey: APP_KEY, port: 0, publicUrl: 'http://localhost:3000' });
});
afterAll(() => github?.close());

const { privateKey: otherKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** Settings with which the product starts against the local GitHub, on a port of its own. */
async function settings(change: Env = {}): Promise<Env> {
  const port = await freePort();
  return {
    ...github.env,
    PUBLIC_URL: `http://localhost:${port}`,
    PORT: String(port),
    HOST: 'localhost',
    ...change,
  };
}

describe('the product as a process', () => {
  it('names every wrong setting, of the environment and of .env, in one line each and ends', async () => {
    const env = await settings({ PORT: 'x', WEBHOOK_SECRET: '', POCKETBASE_URL: 'https://r.example' });
    const product = start(env, { dotEnv: 'LOG_LEVEL=loud\nMETRICSTOKEN=a-token-in-the-wrong-place\n' });
    expect(await product.ended()).toBe(1);
    const [hint, ...said] = product.said;
    expect(hint).toBe('METRICSTOKEN: not a setting of OTP Guard. Did you mean METRICS_TOKEN?');
    expect(said.map((line) => line.split(':')[0]).sort()).toEqual([
      'LOG_LEVEL',
      'POCKETBASE_SUPERUSER_EMAIL',
      'POCKETBASE_SUPERUSER_PASSWORD',
      'PORT',
      'SECRET_KEY',
      'WEBHOOK_SECRET',
    ]);
    for (const line of said) expect(line).toMatch(/^[A-Z_]+: [^\n]+\. Example: [A-Z_]+=\S/);
    expect(product.stdout).toBe('');
  });

  it('says in one line why it cannot start, and leaves nothing running', async () => {
    const product = start(
      await settings({ LOG_FORMAT: 'pretty', GITHUB_API_URL: `http://127.0.0.1:${await freePort()}` }),
    );
    expect(await product.ended()).toBe(1);
    expect(product.stderr).toMatch(
      /^GitHub doesn't answer\. Check GHE_HOST or GITHUB_API_URL, and the network\.\n$/m,
    );
    expect(product.stderr).not.toMatch(/^\s+at /m);
    expect(product.stdout).toBe('');
    expect(product.processes()).toEqual([]);
  });

  it('logs an error that nobody caught without what it carries, and ends', async () => {
    const fail =
      "Promise.reject(Object.assign(new Error('lost'), { request: { body: ['a', 'secret'].join('-') } }))";
    const whenCaught = `name === 'uncaughtException' && setImmediate(() => ${fail})`;
    const script = encodeURIComponent(`process.on('newListener', (name) => ${whenCaught})`);
    const product = start(await settings({ NODE_OPTIONS: `--import data:text/javascript,${script}` }));
    expect(await product.ended()).toBe(1);
    expect(product.said).toEqual([]);
    expect(product.stderr).toMatch(/"event":"crashed","err":\{"type":"Error","message":"lost"/);
    expect(product.stderr).not.toContain('a-secret');
  });

  it('works on a full disk that takes neither its log nor what it says', async () => {
    const env = await settings();
    const args = ['-c', `exec "${process.execPath}" "${PROGRAM}" start >/dev/full 2>/dev/full`];
    const dotEnv = 'METRICSTOKEN=not-a-setting\n';
    const product = start(env, { program: 'sh', isNode: false, args, dotEnv });
    const isReady = async () => {
      if (product.code !== undefined) throw new Error(`The process ended with ${product.code}.`);
      return (await fetch(`${env.PUBLIC_URL}/readyz`).catch(() => undefined))?.status === 200;
    };
    await until('the product to be ready', isReady, LONG_PATIENCE_MS);
    product.child.kill('SIGTERM');
    expect(await product.ended()).toBe(0);
  });

  it('registers the App on a page of its own, saves its credentials, and goes on as the product', async () => {
    const { GITHUB_SERVER_URL, GITHUB_API_URL, PUBLIC_URL, PORT } = await settings();
    const env = { GITHUB_SERVER_URL, GITHUB_API_URL, PUBLIC_URL, PORT };
    const product = start(env, { dotEnv: '# kept\n' });
    const address = () => /http:\/\/localhost:\d+\/set-up\/\S+/.exec(product.stderr)?.[0];
    const browser = setUpBrowser(await until('the address', address, LONG_PATIENCE_MS));
    const second = start(env);
    expect([await second.ended(), second.said]).toEqual([
      1,
      [`Port ${PORT} is taken. Set PORT to a free one.`],
    ]);

    await browser.open();
    const { manifest, state } = await browser.register();
    const form = new URLSearchParams({ manifest: JSON.stringify(manifest), state });
    const made = await fetch(`${github.origin}/_local/apps`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
    });
    const { pathname, search } = new URL(made.headers.get('location') ?? '');
    expect((await browser.get(pathname + search)).status).toBe(303);
    expect(await product.ready()).toEqual({ ready: true, dashboard: PUBLIC_URL });

    const body = '{"zen":"Mind your words"}';
    const signature = createHmac('sha256', github.env.WEBHOOK_SECRET).update(body).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'ping',
      'x-github-delivery': 'a',
    };
    const step = async () => JSON.parse((await browser.get('/set-up/progress')).text).step;
    expect(await step()).not.toContain('webhook');
    const hook = {
      method: 'POST',
      body,
      headers: { ...headers, 'x-hub-signature-256': `sha256=${signature}` },
    };
    await fetch(`${PUBLIC_URL}/api/github/webhooks`, hook);
    await until('the tick', async () => (await step()).includes('webhook'));
    expect((await browser.get(pathname + search)).status).toBe(404);
    expect((await fetch(`${PUBLIC_URL}/set-up/steps`)).status).toBe(404);

    const saved = readFileSync(join(product.folder, '.env'), 'utf8');
    for (const secret of Object.values(parseEnv(saved)).slice(1))
      expect(product.stdout + product.stderr).not.toContain(secret);
    product.child.kill('SIGTERM');
    expect(await product.ended()).toBe(0);
    const again = start(env, { dotEnv: saved });
    expect(await again.ready()).toEqual({ ready: true, dashboard: PUBLIC_URL });
    expect((await fetch(`${PUBLIC_URL}/set-up/steps`)).status).toBe(404);
    again.child.kill('SIGTERM');
    await again.ended();
    const resumed = start(env, { dotEnv: saved, args: ['setup'] });
    const left = () => /finish the set-up:\s+(\S+)/.exec(resumed.stderr)?.[1];
    const operator = setUpBrowser(await until('the address', left, LONG_PATIENCE_MS));
    expect((await operator.open()).headers.location).toBe('/set-up/steps');
    expect((await operator.get('/set-up/steps')).text).toContain('The App is registered.');
  });

  it('says that it is ready, outlives its record store, ends when asked to, and keeps what it stored', async () => {
    const env = await settings({ DATA_DIR: scratch() });
    const origin = env.PUBLIC_URL ?? '';
    const first = start(env);
    expect(await first.ready()).toEqual({ ready: true, dashboard: origin });
    expect(first.stdout.split('\n')).toHaveLength(2);
    expect(await raw(origin, 'GET', '/readyz')).toMatchObject({ status: 200, text: 'ok' });
    const health = JSON.parse((await raw(origin, 'GET', '/healthz')).text);
    // As otp-guard --version says it. A build of a clone names the commit; only a clean one needs no hash of the build.
    expect(health).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      commit: expect.stringMatching(
        existsSync('.git') ? /^[0-9a-f]{40}(-dirty-[0-9a-f]{12})?$/ : /^unknown-[0-9a-f]{12}$/,
      ),
    });
    expect((await raw(origin, 'GET', '/')).text).toContain('<title>OTP Guard</title>');

    const { token } = await signInAs({ origin, github }, 'mona');
    const call = () => raw(origin, 'POST', '/github-check-webauthn-params', { token, body: {} });
    expect((await call()).status).toBe(400);
    await expectToOutliveItsStore(origin, String(env.DATA_DIR), call);
    expect(first.stderr).not.toContain(token);

    // A listener that never goes away by itself. The exit code is 1 if it does not end in its time.
    const listening = await fetch(`${origin}/api/realtime`);
    first.child.kill('SIGTERM');
    expect(await first.ended()).toBe(0);
    expect(processesOf(String(env.DATA_DIR))).toEqual([]);
    await listening.body?.cancel().catch(() => undefined);

    const second = start(env);
    await second.ready();
    const answer = await call();
    expect([answer.status, answer.text]).toEqual([400, 'missing installation']);
    second.child.kill('SIGINT');
    expect(await second.ended()).toBe(0);
    expect(processesOf(String(env.DATA_DIR))).toEqual([]);
  });

  /** Kills the record store while it is asked. */
  async function expectToOutliveItsStore(
    origin: string,
    dataDir: string,
    call: () => ReturnType<typeof raw>,
  ): Promise<void> {
    // It may be back before we ask; then it is killed again, and stays away for longer.
    const whileDead = (ask: () => ReturnType<typeof raw>) =>
      until(
        'a refusal',
        async () => {
          for (const pid of processesOf(`--dir=${dataDir}`)) kill(pid);
          const answer = await ask();
          return answer.status === 503 && answer;
        },
        LONG_PATIENCE_MS,
      );
    expect((await whileDead(call)).text).toBe(
      "OTP Guard can't reach its record store. Nothing is lost: try again in a moment.",
    );
    const ready = await whileDead(() => raw(origin, 'GET', '/readyz'));
    expect(ready.text).toBe('The record store does not answer.');
    await whileDead(() => raw(origin, 'GET', '/api/health'));
    expect((await raw(origin, 'GET', '/healthz')).status).toBe(200);
    await until(
      'the product to recover',
      async () => (await raw(origin, 'GET', '/readyz')).status === 200,
      LONG_PATIENCE_MS,
    );
    expect((await call()).status).toBe(400);
    expect((await signInAs({ origin, github }, 'mona')).record.username).toBe('mona');
  }
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

describe('what the product cannot start with', () => {
  /** Why it does not start; nothing of it is left. */
  async function refusal(change: Env): Promise<string> {
    const dataDir = scratch();
    const config = readConfig(await settings({ DATA_DIR: dataDir, ...change }));
    if (!config.github) throw new Error('no App');
    const dashboardDir = resolve('dist/web');
    const started = startProduct({ ...config, github: config.github }, { log: silent, dashboardDir });
    const error = await started.then(
      async (product) => {
        await product.stop();
        throw new Error('it started');
      },
      (reason: unknown) => reason,
    );
    const refused = error as Error;
    const { message } = refused;
    // The built product has a class of its own.
    expect(refused.constructor.name).toBe(StartError.name);
    expect(message).toMatch(SENTENCE);
    expect(processesOf(change.DATA_DIR ?? dataDir)).toEqual([]);
    return message;
  }

  const external = (url: string, password = 'password') => ({
    POCKETBASE_URL: url,
    POCKETBASE_SUPERUSER_EMAIL: 'a@example.org',
    POCKETBASE_SUPERUSER_PASSWORD: password,
    SECRET_KEY,
  });

  it.each<[what: string, change: () => Promise<Env>, says: RegExp]>([
    [
      'a data folder whose inside is taken',
      async () => {
        const DATA_DIR = scratch();
        writeFileSync(join(DATA_DIR, 'pocketbase'), '');
        return { DATA_DIR };
      },
      /record store cannot use /,
    ],
    [
      'the key of another App',
      async () => ({ PRIVATE_KEY: otherKey }),
      /^GitHub refused the App: APP_ID and/,
    ],
    [
      'the id of another App',
      async () => ({ APP_ID: '7' }),
      /^GitHub refused the App: APP_ID and PRIVATE_KEY/,
    ],
    [
      'an external record store that does not answer',
      async () => external(`http://127.0.0.1:${await freePort()}`),
      /does not answer\. Is POCKETBASE_URL right\?$/,
    ],
    ['an external record store that is none', async () => external(github.origin), /POCKETBASE_URL/],
  ])('is said in one sentence: %s', async (_what, change, says) => {
    expect(await refusal(await change())).toMatch(says);
  });

  it('is said in one sentence: a port that is taken', async () => {
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, 'localhost', done));
    try {
      const { port } = taken.address() as { port: number };
      expect(await refusal({ PORT: String(port), PUBLIC_URL: `http://localhost:${port}` })).toBe(
        `Port ${port} is taken. Set PORT to a free one.`,
      );
    } finally {
      await new Promise((done) => taken.close(done));
    }
  });

  it('is said in one sentence: the wrong password of an external record store', async () => {
    const store = await startEmptyStore();
    try {
      const message = await refusal({
        ...external(store.url, 'wrong'),
        POCKETBASE_SUPERUSER_EMAIL: store.email,
      });
      expect(message).toBe(
        `The record store at ${store.url} could not be prepared: it refused POCKETBASE_SUPERUSER_EMAIL and POCKETBASE_SUPERUSER_PASSWORD.`,
      );
    } finally {
      await store.stop();
    }
  });
});

describe('otp-guard acceptance', () => {
  const NAME = 'other-org/world';
  const asAdmin = async (method: string, path: string, body?: object) => {
    const headers = {
      authorization: `Bearer ${github.facts.adminToken}`,
      'content-type': 'application/json',
    };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${github.origin}${path}`, init);
    return answer.status === 204 ? undefined : answer.json();
  };
  /** The names of the branches and of the open pull requests of the scratch repository. */
  const inScratch = async () => {
    const branches = (await asAdmin('GET', `/repos/${NAME}/branches`)) as { name: string }[];
    const pulls = (await asAdmin('GET', `/repos/${NAME}/pulls`)) as { title: string }[];
    return [...branches.map(({ name }) => name), ...pulls.map(({ title }) => title)];
  };
  const runIn = async (env: Env, ...args: string[]) => {
    const token = { GITHUB_TOKEN: github.facts.adminToken };
    return start(await settings({ ...token, ...env }), { args: ['acceptance', ...args] });
  };
  const outcomesOf = ({ stdout }: { stdout: string }) => {
    const { rows } = JSON.parse(stdout) as { rows: { id: string; result: string }[] };
    return Object.fromEntries(rows.map(({ id, result }) => [id, result]));
  };

  it('sees what we assume at the local GitHub, cleans up, and writes a report without secrets', async () => {
    const { object } = (await asAdmin('GET', `/repos/${NAME}/git/ref/heads/main`)) as {
      object: { sha: string };
    };
    const ref = { ref: 'refs/heads/queued', sha: object.sha };
    await asAdmin('POST', `/repos/${NAME}/git/refs`, ref);
    const file = { message: 'One', content: 'eA==', branch: 'queued' };
    await asAdmin('PUT', `/repos/${NAME}/contents/one.txt`, file);
    const opened = { title: 'Queued', head: 'queued', base: 'main' };
    const { number } = (await asAdmin('POST', `/repos/${NAME}/pulls`, opened)) as { number: number };
    await asAdmin('POST', `/_local/merge-queue/${NAME}`, { pull_number: number });
    const refused = await runIn({}, NAME, '--yes');
    expect([await refused.ended(), refused.said]).toEqual([1, [expect.stringMatching(/open pull requests/)]]);
    await asAdmin('DELETE', `/_local/merge-queue/${NAME}`, { pull_number: number });
    await asAdmin('PATCH', `/repos/${NAME}/pulls/${number}`, { state: 'closed' });
    const before = await inScratch();

    const done = await runIn({}, NAME, '--yes', '--rename', '--json', '--report', 'report.md');
    const code = await done.ended();
    expect([code, done.stderr, JSON.parse(done.stdout).failure]).toEqual([0, '', null]);
    const outcomes = Object.entries(outcomesOf(done));
    expect(outcomes.filter(([, result]) => result === 'not tried').map(([id]) => id)).toEqual([
      ...['selectable-on-page', 'reinstallation-details', 'long-run-ids'],
      ...['details-url', 'sender-pushed', 'sign-in-after-sso'],
    ]);
    expect(outcomes.filter(([, result]) => result === 'differs')).toEqual([]);
    expect(Object.fromEntries(outcomes)).toMatchObject({
      'tip-has-suite': 'same',
      'made-suite-is-listed': 'same',
    });
    expect(await inScratch()).toEqual(before);
    const report = readFileSync(join(done.folder, 'report.md'), 'utf8');
    expect(report).toContain('| the merge is refused | the merge is refused | same |');
    for (const secret of [github.facts.adminToken, github.env.WEBHOOK_SECRET])
      expect(report + done.stdout).not.toContain(secret);
  });

  it.each<[code: number, says: RegExp, args: string[], env: Env]>([
    [2, /^Set the environment variable GITHUB_TOKEN\.$/, [NAME, '--yes'], { GITHUB_TOKEN: '' }],
    [2, /^This opens and merges .* of other-org\/world, and .* Run it again with --yes to /, [NAME], {}],
    [2, /^Name the scratch repository as owner\/repository\.$/, ['world', '--yes'], {}],
    [1, /^GITHUB_TOKEN doesn’t show .*: GitHub answered 401 /, [NAME, '--yes'], { GITHUB_TOKEN: 'wrong' }],
    [1, /^GITHUB_TOKEN doesn’t show .*: GitHub answered 404 /, ['other-org/none', '--yes'], {}],
  ])('exits with %d and changes nothing: %s', async (code, says, args, env) => {
    const before = await inScratch();
    const refused = await runIn(env, ...args);
    expect([await refused.ended(), refused.said, refused.stdout]).toEqual([
      code,
      [expect.stringMatching(says)],
      '',
    ]);
    expect(await inScratch()).toEqual(before);
  });

  it('asks on a terminal, and takes anything but yes for a no', async () => {
    const before = await inScratch();
    const env = await settings({ GITHUB_TOKEN: github.facts.adminToken });
    const command = `echo sure | script -qec '"${process.execPath}" ${PROGRAM} acceptance ${NAME}' /dev/null`;
    const asked = start(env, { program: 'sh', isNode: false, args: ['-c', command] });
    expect(await asked.ended()).toBe(2);
    expect(asked.stdout).toMatch(/Type yes to go on: [\s\S]*Nothing was changed\./);
    expect(await inScratch()).toEqual(before);
  });

  it('names a difference, exits with 1 and cleans up; and cleans up after Ctrl-C', async () => {
    const before = await inScratch();
    let isHeld = false;
    let merges = 0;
    // A GitHub that counts an older run which completes after a newer one.
    const json = { 'content-type': 'application/json; charset=utf-8' };
    const proxy = createHttpServer(async (req, res) => {
      const { method = 'GET', url = '' } = req;
      if (method === 'PUT' && url.endsWith('/merge')) {
        merges += 1;
        if (!isHeld) res.writeHead(200, json).end(JSON.stringify({ merged: true }));
        return;
      }
      const body = await text(req);
      const headers = Object.fromEntries(
        Object.entries(req.headers).filter(
          ([name]) => !['host', 'connection', 'content-length'].includes(name),
        ),
      ) as Record<string, string>;
      const answer = await fetch(`${github.origin}${url}`, { method, headers, ...(body && { body }) });
      res.writeHead(answer.status, json).end(await answer.text());
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    try {
      const { port } = proxy.address() as { port: number };
      const env = { GITHUB_API_URL: `http://127.0.0.1:${port}` };
      const other = await runIn(env, NAME, '--yes', '--json');
      expect([await other.ended(), outcomesOf(other)]).toEqual([
        1,
        expect.objectContaining({ 'newest-run-counts': 'differs', 'rerun-webhook': 'same' }),
      ]);
      expect(await inScratch()).toEqual(before);

      isHeld = true;
      const [seen, stopped] = [merges, await runIn(env, NAME, '--yes', '--json')];
      await until('a merge that hangs', async () => merges > seen, LONG_PATIENCE_MS);
      stopped.child.kill('SIGINT');
      expect([await stopped.ended(), JSON.parse(stopped.stdout).failure]).toEqual([1, 'it was stopped.']);
      expect(await inScratch()).toEqual(before);
    } finally {
      proxy.closeAllConnections();
      await new Promise((done) => proxy.close(done));
    }
  });
});

import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { LocalGitHub } from '../../demo/local-github.ts';
import { readConfig } from '../../src/settings/config.ts';
import { StartError } from '../../src/shared/app-error.ts';
import { APP_KEY } from '../support/app-key.ts';
import { startLocalGitHub, startProduct } from '../support/built.ts';
import { freePort, until } from '../support/product.ts';
import { PROGRAM } from '../support/program.ts';
import { type Env, processesOf, Running } from '../support/running.ts';
import { setUpBrowser } from '../support/set-up-browser.ts';
import { raw, signInAs } from '../support/sign-in.ts';
import { removeScratches, scratch, scratchWithStore } from '../support/stored.ts';
import { SECRET_KEY, silent, startEmptyStore } from '../support/stores.ts';
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

afterAll(removeScratches);

let github: LocalGitHub;
beforeAll(async () => {
  github = await startLocalGitHub({ privateKey: APP_KEY, port: 0, publicUrl: 'http://localhost:3000' });
});
afterAll(() => github?.close());

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
    const product = start(await settings({ APP_ID: '7' }));
    expect(await product.ended()).toBe(1);
    expect(product.stderr).toMatch(
      /^GitHub refused the App: APP_ID and PRIVATE_KEY don't belong together\.\n$/m,
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
    const env = await settings({ DATA_DIR: scratchWithStore() });
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

  it('registers the App on a page of its own, saves its credentials, and continues as the product', async () => {
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
    expect((await browser.get(pathname + search)).text).toContain('The App is registered');
    expect(await product.ready()).toEqual({ ready: true, dashboard: PUBLIC_URL });

    await until('the next page', () => product.stderr.includes(`${PUBLIC_URL}/org`));
    expect((await fetch(`${PUBLIC_URL}/set-up`)).status).toBe(404);
    const body = '{"zen":"Mind your words"}';
    const signature = createHmac('sha256', github.env.WEBHOOK_SECRET).update(body).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'ping',
      'x-github-delivery': 'a',
      'x-hub-signature-256': `sha256=${signature}`,
    };
    const webhook = await fetch(`${PUBLIC_URL}/api/github/webhooks`, { method: 'POST', body, headers });
    expect(webhook.ok).toBe(true);

    const saved = readFileSync(join(product.folder, '.env'), 'utf8');
    for (const secret of Object.values(parseEnv(saved)).slice(1))
      expect(product.stdout + product.stderr).not.toContain(secret);
    product.child.kill('SIGTERM');
    expect(await product.ended()).toBe(0);
    const again = start(env, { dotEnv: saved, args: ['setup'] });
    expect(await again.ready()).toEqual({ ready: true, dashboard: PUBLIC_URL });
    await until('the next page', () => again.stderr.includes(`${PUBLIC_URL}/org`));
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

    // A listener that never goes away on its own. The exit code is 1 if it does not end in its time.
    const listening = await fetch(`${origin}/api/realtime`);
    first.child.kill('SIGTERM');
    expect(await first.ended()).toBe(0);
    expect(processesOf(String(env.DATA_DIR))).toEqual([]);
    await listening.body?.cancel().catch(() => undefined);

    // The log names the schema of a new store, once.
    expect(first.stderr).toMatch(/"event":"schema_applied","from":0,.*"version":"\d/);
    const second = start(env);
    await second.ready();
    expect(second.stderr).not.toContain('"schema_applied"');
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
    // It ended on its own.
  }
}

describe('what the product cannot start with', () => {
  let store: Awaited<ReturnType<typeof startEmptyStore>>;
  beforeAll(async () => {
    store = await startEmptyStore('prepared');
  });
  afterAll(() => store?.stop());

  /** Why it does not start; nothing of it is left. */
  async function refusal(change: Env): Promise<string> {
    const dataDir = scratchWithStore();
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
      'the id of another App',
      async () => ({ APP_ID: '7' }),
      /^GitHub refused the App: APP_ID and PRIVATE_KEY/,
    ],
    ['an external record store that is none', async () => external(github.origin), /POCKETBASE_URL/],
    [
      'the wrong password of an external record store',
      async () => ({ ...external(store.url, 'wrong'), POCKETBASE_SUPERUSER_EMAIL: store.email }),
      /^The record store at \S+ could not be prepared: it refused POCKETBASE_SUPERUSER_EMAIL and POCKETBASE_SUPERUSER_PASSWORD\.$/,
    ],
  ])('is said in one sentence: %s', async (_what, change, says) => {
    expect(await refusal(await change())).toMatch(says);
  });

  it.each<[what: string, isHanging: boolean, through: (gate: Gate) => Env, says: RegExp]>([
    [
      'GitHub that refuses connections',
      false,
      ({ url }) => ({ GITHUB_API_URL: url }),
      /^GitHub doesn't answer/,
    ],
    ['GitHub that hangs', true, ({ url }) => ({ GITHUB_API_URL: url }), /^GitHub doesn't answer/],
    [
      'an external record store that refuses connections',
      false,
      ({ url }) => ({ ...external(url, store.password), POCKETBASE_SUPERUSER_EMAIL: store.email }),
      /does not answer\. Is POCKETBASE_URL right\?$/,
    ],
  ])(
    'is not %s: it waits, says so, and starts when that is back',
    async (_what, isHanging, through, says) => {
      const gate = await gateTo(says.source.includes('GitHub') ? github.origin : store.url, isHanging);
      const env = await settings({ DATA_DIR: scratchWithStore(), ...through(gate) });
      const config = readConfig(env);
      if (!config.github) throw new Error('no App');
      const options = {
        log: silent,
        dashboardDir: resolve('dist/web'),
        waits: { answerMs: 1_000, retryMs: 10 },
      };
      let isReady = false;
      const starting = startProduct({ ...config, github: config.github }, options);
      starting.then(
        () => {
          isReady = true;
        },
        () => undefined,
      );
      const origin = String(env.PUBLIC_URL);
      try {
        const reason = await until(
          'the reason',
          async () => {
            const answer = await raw(origin, 'GET', '/readyz').catch(() => null);
            return answer?.status === 503 && says.test(answer.text) && answer.text;
          },
          LONG_PATIENCE_MS,
        );
        expect([reason, isReady]).toEqual([expect.stringMatching(SENTENCE), false]);
        expect((await raw(origin, 'GET', '/healthz')).status).toBe(200);
        for (const [method, path] of [
          ['GET', '/'],
          ['POST', '/api/github/webhooks'],
          ['POST', '/github-check-webauthn'],
        ] as const)
          expect(await raw(origin, method, path)).toMatchObject({
            status: 503,
            text: expect.stringMatching(/^OTP Guard is starting/),
          });
        await gate.open();
        const product = await starting;
        expect((await raw(origin, 'GET', '/readyz')).status).toBe(200);
        await product.stop();
      } finally {
        await gate.close();
      }
    },
  );
});

type Gate = Awaited<ReturnType<typeof gateTo>>;

/** An address that refuses connections or leaves them unanswered, until it's opened and leads to `target`. */
async function gateTo(target: string, isHanging: boolean) {
  const port = await freePort();
  let isOpen = false;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (!isOpen) return;
    const { hostname, port: at } = new URL(target);
    const onward = connect(Number(at), hostname);
    onward.on('error', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
    socket.once('close', () => onward.destroy());
  });
  const listen = () => new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  if (isHanging) await listen();
  return {
    url: `http://127.0.0.1:${port}`,
    async open() {
      isOpen = true;
      if (!isHanging) await listen();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

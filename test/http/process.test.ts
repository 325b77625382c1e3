import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalGitHub, startLocalGitHub } from '../../src/demo/local-github.ts';
import { freePort, until } from '../support/product.ts';
import { raw, SECRET_KEY, signInAs, startEmptyStore } from '../support/product-over-store.ts';
import { type Env, processesOf, Running } from '../support/running.ts';

const SENTENCE = /^[A-Z][^\n{}]{10,250}$/;
const END_MS = 5_000;

const running: Running[] = [];
const start = (env: Env, dotEnv?: string) => {
  const started = new Running(env, { dotEnv });
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
  github = await startLocalGitHub({ port: 0, publicUrl: 'http://localhost:3000' });
}, 60_000);
afterAll(() => github.close());

const { privateKey: otherKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** Settings with which the product starts against the local GitHub, on a port of its own. */
async function settings(change: Env = {}): Promise<Env> {
  const port = await freePort();
  const env: Env = {
    ...github.env,
    PUBLIC_URL: `http://localhost:${port}`,
    PORT: String(port),
    HOST: 'localhost',
    ...change,
  };
  return env;
}

describe('a setting that is wrong', () => {
  it.each<[name: string, value: string]>([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PUBLIC_URL', 'guard.example.org'],
    ['PUBLIC_URL', 'http://guard.example.org'],
    ['PUBLIC_URL', 'https://guard.example.org/path'],
    ['APP_ID', 'otp-guard'],
    ['PRIVATE_KEY', 'not a key'],
    ['WEBHOOK_SECRET', ''],
    ['GITHUB_CLIENT_ID', ''],
    ['GITHUB_CLIENT_SECRET', ' '],
    ['GITHUB_SERVER_URL', 'github'],
    ['GITHUB_API_URL', 'ftp://github.example.org'],
    ['GHE_PROTOCOL', 'gopher'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_FORMAT', 'xml'],
    ['WEBHOOK_PROXY_URL', 'smee'],
    ['POCKETBASE_URL', 'records'],
    ['TRUST_PROXY', 'nobody knows'],
    ['SECRET_KEY', 'short'],
  ])('%s=%s is told in one line with an example', async (name, value) => {
    const product = start(await settings({ SECRET_KEY, [name]: value }));
    expect(await product.ended()).toBe(1);
    expect(product.stderr).toMatch(new RegExp(`^${name}: [^\\n]+\\. Example: ${name}=\\S[^\\n]*\\n$`));
    expect(product.stdout).toBe('');
  });

  it('is told with all the others at once, one line each', async () => {
    const product = start(
      await settings({
        PORT: 'x',
        APP_ID: 'x',
        LOG_LEVEL: 'x',
        WEBHOOK_SECRET: '',
        POCKETBASE_URL: 'https://r.example',
      }),
    );
    expect(await product.ended()).toBe(1);
    expect(product.said.map((line) => line.split(':')[0]).sort()).toEqual([
      'APP_ID',
      'LOG_LEVEL',
      'POCKETBASE_SUPERUSER_EMAIL',
      'POCKETBASE_SUPERUSER_PASSWORD',
      'PORT',
      'SECRET_KEY',
      'WEBHOOK_SECRET',
    ]);
  });

  it('is read from .env too', async () => {
    const product = start(await settings(), 'LOG_LEVEL=loud\n');
    expect(await product.ended()).toBe(1);
    expect(product.said).toEqual([expect.stringMatching(/^LOG_LEVEL: /)]);
  });

  it('is a missing App, in production', async () => {
    const product = start({ NODE_ENV: 'production' });
    expect(await product.ended()).toBe(1);
    expect(product.said.map((line) => line.split(':')[0])).toEqual(
      expect.arrayContaining(['PUBLIC_URL', 'APP_ID', 'PRIVATE_KEY', 'WEBHOOK_SECRET']),
    );
  });
});

describe('what the product cannot start with', () => {
  const file = () => {
    const path = join(scratch(), 'file');
    writeFileSync(path, '');
    return path;
  };

  it.each<[what: string, change: () => Promise<Env>, says: RegExp]>([
    [
      'a data folder below a file',
      async () => ({ DATA_DIR: join(file(), 'below') }),
      /^DATA_DIR: cannot be written/,
    ],
    ['a data folder that is a file', async () => ({ DATA_DIR: file() }), /^DATA_DIR: cannot be written/],
    [
      'a data folder whose inside is taken',
      async () => {
        const folder = scratch();
        writeFileSync(join(folder, 'pocketbase'), '');
        return { DATA_DIR: folder };
      },
      /record store cannot use /,
    ],
    [
      'a data folder that is damaged',
      async () => {
        const folder = scratch();
        mkdirSync(join(folder, 'pocketbase', 'data'), { recursive: true });
        writeFileSync(join(folder, 'pocketbase', 'data', 'data.db'), 'this is no database '.repeat(500));
        return { DATA_DIR: folder };
      },
      /record store cannot use /,
    ],
    [
      'a GitHub that does not answer',
      async () => ({ GITHUB_API_URL: `http://127.0.0.1:${await freePort()}` }),
      /^GitHub does not answer\. Is GITHUB_API_URL right/,
    ],
    [
      'the key of another App',
      async () => ({ PRIVATE_KEY: otherKey }),
      /^GitHub refused the App: APP_ID and PRIVATE_KEY/,
    ],
    [
      'the id of another App',
      async () => ({ APP_ID: '7' }),
      /^GitHub refused the App: APP_ID and PRIVATE_KEY/,
    ],
    [
      'a key that is no key inside',
      async () => ({
        PRIVATE_KEY: '-----BEGIN RSA PRIVATE KEY-----\nbm8ga2V5\n-----END RSA PRIVATE KEY-----\n',
      }),
      /PRIVATE_KEY/,
    ],
    [
      'an external record store that does not answer',
      async () => ({
        POCKETBASE_URL: `http://127.0.0.1:${await freePort()}`,
        POCKETBASE_SUPERUSER_EMAIL: 'a@example.org',
        POCKETBASE_SUPERUSER_PASSWORD: 'password',
        SECRET_KEY,
      }),
      /does not answer\. Is POCKETBASE_URL right\?$/,
    ],
    [
      'an external record store that is none',
      async () => ({
        POCKETBASE_URL: github.origin,
        POCKETBASE_SUPERUSER_EMAIL: 'a@example.org',
        POCKETBASE_SUPERUSER_PASSWORD: 'password',
        SECRET_KEY,
      }),
      /POCKETBASE_URL/,
    ],
  ])('is told in one line: %s', async (_what, change, says) => {
    const product = start(await settings(await change()));
    expect(await product.ended()).toBe(1);
    expect(product.said).toEqual([expect.stringMatching(says)]);
    if (!product.said[0]?.includes('Example:')) expect(product.said[0]).toMatch(SENTENCE);
    expect(product.stdout).toBe('');
    expect(product.stderr).not.toMatch(/^\s+at /m);
    expect(product.processes()).toEqual([]);
  });

  it('is told in one line: a port that is taken', async () => {
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, 'localhost', done));
    const { port } = taken.address() as { port: number };
    const product = start(await settings({ PORT: String(port), PUBLIC_URL: `http://localhost:${port}` }));
    expect(await product.ended()).toBe(1);
    expect(product.said).toEqual([`Port ${port} is taken. Set PORT to a free one.`]);
    expect(product.processes()).toEqual([]);
    await new Promise((done) => taken.close(done));
  });

  it('is told in one line: a port that is taken, also where there is no App yet', async () => {
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, 'localhost', done));
    const { port } = taken.address() as { port: number };
    const product = start({ PORT: String(port), HOST: 'localhost' });
    expect(await product.ended()).toBe(1);
    expect(product.said).toEqual([`Port ${port} is taken. Set PORT to a free one.`]);
    await new Promise((done) => taken.close(done));
  });

  it('offers the page that registers the App, where there is none and it is not production', async () => {
    const port = await freePort();
    start({ PORT: String(port), HOST: 'localhost' });
    const page = await until('the set-up page', async () => {
      const answer = await fetch(`http://localhost:${port}/probot`).catch(() => null);
      return answer?.ok && answer.text();
    });
    expect(page).toContain('Register GitHub App');
    const production = start({ PORT: String(await freePort()), HOST: 'localhost', NODE_ENV: 'production' });
    expect(await production.ended()).toBe(1);
    expect(production.stderr).toMatch(/^APP_ID: is missing/m);
  });

  it('is told in one line: the wrong password of an external record store', async () => {
    const store = await startEmptyStore();
    const product = start(
      await settings({
        POCKETBASE_URL: store.url,
        POCKETBASE_SUPERUSER_EMAIL: store.email,
        POCKETBASE_SUPERUSER_PASSWORD: 'wrong',
        SECRET_KEY,
      }),
    );
    expect(await product.ended()).toBe(1);
    expect(product.said).toEqual([
      `The record store at ${store.url} could not be prepared: it refused POCKETBASE_SUPERUSER_EMAIL and POCKETBASE_SUPERUSER_PASSWORD.`,
    ]);
    expect(product.stderr).not.toContain('wrong');
    await store.stop();
  });

  it('is told without a stack trace where the log is for a person, too', async () => {
    const product = start(
      await settings({ LOG_FORMAT: 'pretty', GITHUB_API_URL: `http://127.0.0.1:${await freePort()}` }),
    );
    expect(await product.ended()).toBe(1);
    expect(product.stderr).toContain('GitHub does not answer.');
    expect(product.stderr).not.toMatch(/^\s+at /m);
  });
});

describe('the product as a process', () => {
  it('says in one line of JSON that it is ready, and answers', async () => {
    const env = await settings();
    const product = start(env);
    expect(await product.ready()).toEqual({ ready: true, dashboard: env.PUBLIC_URL });
    expect(product.stdout.split('\n')).toHaveLength(2);
    for (const path of ['/healthz', '/readyz']) {
      const answer = await raw(env.PUBLIC_URL ?? '', 'GET', path);
      expect([path, answer.status, answer.text]).toEqual([path, 200, 'ok']);
    }
    expect((await raw(env.PUBLIC_URL ?? '', 'GET', '/')).text).toContain('<title>OTP Guard</title>');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends everything within five seconds on %s', async (signal) => {
    const env = await settings();
    const product = start(env);
    await product.ready();
    expect(product.processes().length).toBeGreaterThan(0);
    // A listener that never goes away by itself.
    const listening = await fetch(`${env.PUBLIC_URL}/api/realtime`);
    const asked = Date.now();
    product.child.kill(signal);
    expect(await product.ended()).toBe(0);
    expect(Date.now() - asked).toBeLessThan(END_MS);
    expect(product.processes()).toEqual([]);
    await listening.body?.cancel().catch(() => undefined);
  });

  it('leaves no record store behind when it is killed', async () => {
    const product = start(await settings());
    await product.ready();
    expect(product.processes().length).toBeGreaterThan(0);
    product.child.kill('SIGKILL');
    await product.ended();
    await until('the record store to end', async () => product.processes().length === 0);
  });

  it('answers 503 while its record store is dead, and recovers by itself', async () => {
    const env = await settings();
    const origin = env.PUBLIC_URL ?? '';
    const product = start(env);
    await product.ready();
    const { token } = await signInAs({ origin, github }, 'mona');
    const call = () => raw(origin, 'POST', '/github-check-webauthn-params', { token, body: {} });
    expect((await call()).status).toBe(400);

    const [store = 0] = processesOf(`--dir=${product.folder}`);
    process.kill(store, 'SIGKILL');
    await until(
      'the record store to be gone',
      async () => processesOf(`--dir=${product.folder}`)[0] !== store,
    );
    const [refused, ready, read] = await Promise.all([
      call(),
      raw(origin, 'GET', '/readyz'),
      raw(origin, 'GET', '/api/health'),
    ]);
    expect([refused.status, refused.text]).toEqual([
      503,
      'OTP Guard cannot reach its record store. Nothing is lost: try again in a moment.',
    ]);
    expect([ready.status, ready.text]).toEqual([503, 'The record store does not answer.']);
    expect(read.status).toBe(503);
    expect((await raw(origin, 'GET', '/healthz')).status).toBe(200);

    await until('the product to recover', async () => (await raw(origin, 'GET', '/readyz')).status === 200);
    expect((await call()).status).toBe(400);
    expect((await signInAs({ origin, github }, 'mona')).record.username).toBe('mona');
    expect(product.stderr).not.toContain(token);
  });

  it('keeps what it stored over a restart', async () => {
    const env = await settings({ DATA_DIR: scratch() });
    const first = start(env);
    await first.ready();
    const { token } = await signInAs({ origin: env.PUBLIC_URL ?? '', github }, 'mona');
    first.child.kill('SIGTERM');
    await first.ended();
    const second = start(env);
    await second.ready();
    const answer = await raw(env.PUBLIC_URL ?? '', 'POST', '/github-check-webauthn-params', {
      token,
      body: {},
    });
    expect([answer.status, answer.text]).toEqual([400, 'missing installation']);
    second.child.kill('SIGTERM');
    await second.ended();
  });
});

describe('the product over an external record store', () => {
  it('starts twice at the same moment, and either process is as good as the other', async () => {
    const store = await startEmptyStore();
    const external = {
      POCKETBASE_URL: store.url,
      POCKETBASE_SUPERUSER_EMAIL: store.email,
      POCKETBASE_SUPERUSER_PASSWORD: store.password,
      SECRET_KEY,
    };
    const envs = [await settings(external), await settings(external)];
    const products = envs.map((env) => start(env));
    await Promise.all(products.map((product) => product.ready()));
    expect(existsSync(join(products[0]?.folder ?? '', 'data'))).toBe(false);

    const [here = '', there = ''] = envs.map((env) => env.PUBLIC_URL ?? '');
    const { token } = await signInAs({ origin: here, github }, 'mona');
    const answer = await raw(there, 'POST', '/github-check-webauthn-params', { token, body: {} });
    expect([answer.status, answer.text]).toEqual([400, 'missing installation']);
    expect((await raw(there, 'POST', '/logout', { token })).status).toBe(200);
    expect((await raw(here, 'POST', '/logout', { token })).status).toBe(401);

    for (const product of products) product.child.kill('SIGTERM');
    expect(await Promise.all(products.map((product) => product.ended()))).toEqual([0, 0]);
    expect((await fetch(`${store.url}/api/health`)).status).toBe(200);
    await store.stop();
  }, 60_000);
});

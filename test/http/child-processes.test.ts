import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { LocalGitHub } from '../../demo/local-github.ts';
import { reviewedHashes, verifyBinary } from '../../src/adapters/pocketbase/process/binary.ts';
import { StartError } from '../../src/shared/app-error.ts';
import { APP_KEY } from '../support/app-key.ts';
import { startLocalGitHub } from '../support/built.ts';
import { freePort } from '../support/product.ts';
import { processesOf, Running } from '../support/running.ts';
import { startEmptyStore } from '../support/stores.ts';
import { until } from '../support/until.ts';

const scratch = mkdtempSync(join(tmpdir(), 'otp-guard-children-'));
const running: Running[] = [];
let github: LocalGitHub;
beforeAll(async () => {
  github = await startLocalGitHub({ privateKey: APP_KEY, port: 0, publicUrl: 'http://localhost:3000' });
});
afterAll(async () => {
  for (const one of running.splice(0)) await one.clear();
  await github?.close();
  rmSync(scratch, { recursive: true, force: true });
});

it('no child process sees a secret: at the first start, a restart, a backup and a restore', async () => {
  const dataDir = join(scratch, 'data');
  const file = join(scratch, 'children');
  const port = await freePort();
  const secrets = {
    SECRET_KEY: randomBytes(32).toString('base64'),
    METRICS_TOKEN: randomBytes(24).toString('hex'),
    SMTP_URL: 'smtp://guard:canary-of-the-mail-server@127.0.0.1:1',
  };
  const env = {
    ...github.env,
    ...secrets,
    MAIL_FROM: 'guard@acme.test',
    PUBLIC_URL: `http://localhost:${port}`,
    PORT: String(port),
    HOST: 'localhost',
    DATA_DIR: dataDir,
    CHILDREN_FILE: file,
    NODE_OPTIONS: `--import=${resolve('test/support/record-children.js')}`,
  };
  const run = (...args: string[]) => {
    const one = new Running(env, { args });
    running.push(one);
    return one;
  };
  const command = async (...args: [string, string]) => expect(await run(...args).ended()).toBe(0);
  const passwords: string[] = [];
  const start = async () => {
    const product = run('start');
    await product.ready();
    passwords.push(JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')).password);
    return product;
  };
  const stop = async (product: Running) => {
    product.child.kill('SIGTERM');
    expect(await product.ended()).toBe(0);
  };

  const first = await start();
  // A backup from the middle of it would have claims that no process works on, and a restore waits until those expire.
  await until('the first reconciliation', async () => {
    const headers = { authorization: `Bearer ${secrets.METRICS_TOKEN}` };
    const metrics = await fetch(`http://localhost:${port}/metrics`, { headers });
    return /last_sweep_timestamp_seconds(\{.*\})? [1-9]/.test(await metrics.text());
  });
  await command('backup', join(scratch, 'one.zip.age'));
  await command('restore', join(scratch, 'one.zip.age'));
  await stop(first);
  await stop(await start());

  const seen = readFileSync(file, 'utf8');
  const children: { command: string[]; environment: string[] }[] = seen
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  // Passwords of stores that lived only during a command aren't known here, but have this form.
  expect(seen).not.toMatch(/[0-9a-f]{40}/);
  const { PRIVATE_KEY = '', WEBHOOK_SECRET = '', GITHUB_CLIENT_SECRET = '' } = github.env;
  expect(new Set(passwords).size).toBe(2);
  for (const secret of [
    ...passwords,
    ...Object.values(secrets),
    WEBHOOK_SECRET,
    GITHUB_CLIENT_SECRET,
    PRIVATE_KEY.slice(40, 80),
  ]) {
    expect(secret.length).toBeGreaterThan(5);
    expect(seen).not.toContain(secret);
  }
  expect(children.filter(({ environment }) => environment.length > 0)).toEqual([]);
  // All of them were seen: the restore, too, starts a store, and reads in it what it is about to put back.
  const started = children.map(({ command: [, name] }) => name);
  const times = (name: string) => started.filter((one) => one === name).length;
  expect(['serve', 'otp-guard-unpack', 'otp-guard-clean', 'otp-guard-pack'].map(times)).toEqual([3, 2, 2, 2]);
  // Nothing of what carried a password stays behind.
  expect(readdirSync(join(dataDir, 'pocketbase')).sort()).toEqual(['data', 'hooks', 'migrations', 'public']);
  expect(readdirSync(join(dataDir, 'pocketbase', 'hooks'))).toEqual([]);
});

it('the binary of the record store runs only if it was reviewed for this platform', async () => {
  await expect(verifyBinary(undefined, 'freebsd-x64')).rejects.toThrow(
    new StartError(
      'The embedded record store does not run on freebsd-x64. Use linux-x64 or darwin-arm64 or darwin-x64 or linux-arm64, or set POCKETBASE_URL to an external PocketBase.',
    ),
  );
  const other = join(scratch, 'pocketbase');
  writeFileSync(other, 'another program');
  await expect(verifyBinary(() => other)).rejects.toThrow('not the one that was reviewed');
});

it('the record store takes another port if another program takes the free one before it', async () => {
  const thief = createServer((socket) => socket.destroy());
  const { close } = Server.prototype;
  const closing = jest.spyOn(Server.prototype, 'close').mockImplementationOnce(function (this: Server, done) {
    const { port } = this.address() as AddressInfo;
    return close.call(this, () => thief.listen(port, '127.0.0.1', () => done?.()));
  });
  try {
    const store = await startEmptyStore('prepared');
    const { port } = thief.address() as AddressInfo;
    expect(store.url).not.toBe(`http://127.0.0.1:${port}`);
    expect(processesOf(`--http=127.0.0.1:${port}`)).toEqual([]);
    await store.stop();
  } finally {
    closing.mockRestore();
    await new Promise((done) => thief.close(done));
  }
});

describe('the supply chain', () => {
  it('has an SBOM with each production package and the binary that is started, without a time or a random number', () => {
    const text = execFileSync(process.execPath, ['scripts/sbom.js'], { encoding: 'utf8' });
    expect(text.match(/[a-z]+:\/\/[^/"]+/g)).toEqual(['http://cyclonedx.org']);
    const { components, metadata, serialNumber } = JSON.parse(text) as Sbom;
    // npm adds the time, and a random number, which has another version than a number made of the content.
    expect(metadata).toEqual({ component: expect.objectContaining({ name: 'otp-guard' }) });
    expect(serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8/);
    const isBinary = ({ hashes }: Sbom['components'][number]) => hashes?.[0]?.alg === 'SHA-256';
    const listed = components
      .filter((one) => !isBinary(one))
      .map(({ name, version }) => `${name}@${version}`);
    expect([...new Set(listed)].sort()).toEqual([...productionPackages()].sort());
    const binaries = components.filter(isBinary);
    expect(binaries.map(({ name, hashes }) => [name, hashes?.[0]?.content])).toEqual(
      Object.entries(reviewedHashes).map(([platform, hash]) => [`pocketbase-${platform}`, hash]),
    );
  });

  it('runs no install scripts, and only on the platform that README names', () => {
    expect(readFileSync('.npmrc', 'utf8')).toMatch(/^ignore-scripts=true$/m);
    expect(Object.keys(reviewedHashes)).toEqual(['linux-x64']);
    expect(readFileSync('README.md', 'utf8')).toContain('Linux on x64');
  });
});

type Sbom = {
  serialNumber: string;
  metadata: object;
  components: { name: string; version: string; hashes?: { alg: string; content: string }[] }[];
};
/** The packages that the lock file installs without development packages. */
function productionPackages(): Set<string> {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version: string; dev?: boolean }>;
  };
  const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  return new Set(installed.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`));
}

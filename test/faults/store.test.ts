import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { registerPasskey } from '../support/account.ts';
import { SupervisedProduct } from '../support/fault-product.ts';
import { type FaultWorld, startFaultWorld } from '../support/fault-world.ts';
import { approvalOptions, type Session, targetOf, until } from '../support/product.ts';
import { PROGRAM } from '../support/program.ts';
import { type Options, type Running, runToEnd } from '../support/running.ts';

const SENTENCE = /^[A-Z][^\n{}]{10,250}$/;
const DATA = 'pocketbase/data';
/** The product ends within a few seconds, on a busy machine later. If it starts by mistake, it's stopped then. */
const MOST_MS = 60_000;

let world: FaultWorld;
let mona: Session;
/** The data folder of a stopped product, with a person who has a passkey. */
let healthy: string;

beforeAll(async () => {
  world = await startFaultWorld();
  world.process.start();
  await world.process.ready();
  mona = await world.signIn('mona');
  await registerPasskey(world, mona);
  await world.process.stop();
  healthy = world.dataDir;
});
afterAll(() => world?.stop());

const folders: string[] = [];
/** A copy of the healthy data folder. */
function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'otp-guard-full-'));
  folders.push(folder);
  cpSync(healthy, folder, { recursive: true });
  return folder;
}
const running: SupervisedProduct[] = [];
async function startOn(DATA_DIR: string): Promise<SupervisedProduct> {
  const product = new SupervisedProduct({ ...world.env, DATA_DIR }, {});
  running.push(product);
  product.start();
  await product.ready();
  return product;
}

afterEach(async () => {
  for (const product of running.splice(0)) await product.stop();
  for (const folder of folders.splice(0)) {
    makeWritable(folder, true);
    rmSync(folder, { recursive: true, force: true });
  }
});

function makeWritable(path: string, isWritable: boolean): void {
  const { mode } = statSync(path);
  chmodSync(path, isWritable ? mode | 0o200 : mode & ~0o222);
  if (!statSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) makeWritable(join(path, name), isWritable);
}

const START = [process.execPath, PROGRAM, 'start'];

/** Root may write everywhere, so this drops that right. */
const DROP = ['--bounding-set=-dac_override,-dac_read_search', ...START];
const unprivileged: Options =
  process.getuid?.() === 0 ? { program: 'setpriv', isNode: false, args: DROP } : {};

/** No file may grow beyond this many blocks of 512 bytes, as on a full disk. */
const onFullDisk = (blocks: number): Options => {
  const args = ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, ...START];
  return { program: '/bin/sh', isNode: false, args };
};

const start = (DATA_DIR: string, options: Options = {}) =>
  runToEnd({ ...world.env, DATA_DIR }, options, MOST_MS);

/** The hash of each file in the folder. */
function hashes(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      join(parentPath, name).slice(folder.length),
      createHash('sha256')
        .update(readFileSync(join(parentPath, name)))
        .digest('hex'),
    ]),
  );
}

/** Expects that the product ended with one clear sentence and never said that it was ready. */
function expectRefusalToStart({ code, stdout, said }: Running): void {
  expect({ code, stdout, said }).toEqual({ code: 1, stdout: '', said: [expect.stringMatching(SENTENCE)] });
  expect(said[0]).toMatch(/record store|DATA_DIR/);
}

/** Expects that the product starts with this folder, and that mona is still signed in. */
async function expectNothingLost(DATA_DIR: string): Promise<void> {
  await startOn(DATA_DIR);
  const answer = await world.call('/github-check-webauthn-params', {}, mona);
  expect([answer.status, answer.text]).toEqual([400, 'missing installation']);
}

// A store whose first page is garbage: test/http/commands.test.ts.
describe('a damaged record store', () => {
  it.each<[what: string, damage: (file: string) => void]>([
    [
      'garbage after a whole first page',
      (file) => {
        const bytes = readFileSync(file);
        randomBytes(256 * 1024).copy(bytes, 8192);
        writeFileSync(file, bytes);
      },
    ],
    ['cut in half', (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
  ])('prevents the start of the product, and is not changed by it: %s', async (_what, damage) => {
    const folder = dataFolder();
    damage(join(folder, DATA, 'data.db'));
    const before = hashes(join(folder, DATA));
    const refused = await start(folder);
    expectRefusalToStart(refused);
    expect(refused.said[0]).toBe(
      `The record store in ${folder} is damaged. Restore a backup: otp-guard restore <file>`,
    );
    expect(hashes(join(folder, DATA))).toMatchObject(before);
    expect(existsSync(join(folder, DATA, 'data.db'))).toBe('/data.db' in before);
  });
});

describe('a read-only data folder', () => {
  it('prevents the start of the product, and is not changed by it', async () => {
    const folder = dataFolder();
    const before = hashes(folder);
    makeWritable(folder, false);
    expectRefusalToStart(await start(folder, unprivileged));
    makeWritable(folder, true);
    expect(hashes(folder)).toEqual(before);
  });
});

describe('a full disk', () => {
  it('prevents a later start of the product, and loses no data', async () => {
    const folder = dataFolder();
    const refused = await start(folder, onFullDisk(16));
    expectRefusalToStart(refused);
    expect(refused.said[0]).toMatch(/disk/);
    await expectNothingLost(folder);
  });

  it('is named by each command that needs to write', async () => {
    const folder = dataFolder();
    const product = await startOn(folder);
    execFileSync('prlimit', ['--pid', String(product.storePid), '--fsize=4096:']);
    for (const args of [['sweep'], ['backup'], ['rotate-key'], ['rotate-signing-key']]) {
      const { code, stdout, said } = await runToEnd({ ...world.env, DATA_DIR: folder }, { args }, MOST_MS);
      const full =
        /the disk of its record store may be full\. Its operator has to make room, then try again\.$/;
      expect([args, code, stdout, said]).toEqual([args, 1, '', [expect.stringMatching(full)]]);
    }
  });

  it('lets nobody approve, and loses no data', async () => {
    const folder = dataFolder();
    const product = await startOn(folder);
    const octocat = await world.signIn('octocat');
    const octocatsKey = await registerPasskey(world, octocat);
    const pull = await world.pendingPull('On a full disk');
    const params = targetOf(world, pull);
    const { options } = await approvalOptions(world, octocat, params);
    const body = { params, authResponse: octocatsKey.get(options), accessToken: octocat.accessToken };
    const limit = (bytes: string) =>
      execFileSync('prlimit', ['--pid', String(product.storePid), `--fsize=${bytes}:`]);

    limit('4096');
    const refused = await world.call('/github-check-webauthn', body, octocat);
    expect([refused.status, refused.text]).toEqual([503, expect.stringMatching(/record store/)]);
    const runs = () => world.ownRuns('hello', pull.head.sha, 'all');
    expect((await runs()).map(({ status }) => status)).toEqual(['in_progress']);
    // GitHub accepts both sign-ins, of a known person and of a new one. The store can't keep them.
    for (const login of ['mona', 'hubot'])
      await expect(world.signIn(login)).rejects.toThrow(/: 503 OTP Guard can't save anything: the disk/);
    const readiness = async () => (await fetch(`${world.origin}/readyz`)).text();
    await until('readiness to notice', async () =>
      /^The record store takes no records\. Its disk has \d+ MB left\.$/.test(await readiness()),
    );

    limit('unlimited');
    await until('readiness to notice', async () => (await readiness()).startsWith('ok'));
    await until('the record store to take records again', async () => {
      const answer = await approvalOptions(world, octocat, params).catch(() => null);
      if (!answer) return false;
      const again = { ...body, authResponse: octocatsKey.get(answer.options) };
      return (await world.call('/github-check-webauthn', again, octocat)).status === 200;
    });
    expect((await runs()).map(({ conclusion }) => conclusion)).toEqual(['success']);
  });
});

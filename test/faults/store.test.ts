import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Ended, type Launch, runToEnd, SupervisedProduct } from '../support/fault-product.ts';
import { type FaultWorld, startFaultWorld } from '../support/fault-world.ts';
import { approvalOptions, registerPasskey, type Session, targetOf, until } from '../support/product.ts';

const SENTENCE = /^[A-Z][^\n{}]{10,250}$/;
const DATA = 'pocketbase/data';
/** It ends in a few seconds; where it starts, which it must not, it is asked to end. */
const mostMs = 20_000;

let world: FaultWorld;
let mona: Session;
/** A data folder of a product that was stopped, with a person in it. */
let healthy: string;

beforeAll(async () => {
  world = await startFaultWorld();
  world.process.start();
  await world.process.ready();
  mona = await world.signIn('mona');
  await registerPasskey(world, mona);
  await world.process.stop();
  healthy = world.dataDir;
}, 60_000);
afterAll(() => world?.stop(), 30_000);

const folders: string[] = [];
/** A copy of the healthy data folder, or an empty one. */
function dataFolder(isEmpty = false): string {
  const folder = mkdtempSync(join(tmpdir(), 'otp-guard-full-'));
  folders.push(folder);
  if (!isEmpty) cpSync(healthy, folder, { recursive: true });
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

/** The administrator of a machine may write everywhere; without that right it is a process like others. */
const asAnybody: { launch?: Launch } =
  process.getuid?.() === 0
    ? { launch: { command: 'setpriv', args: ['--bounding-set=-dac_override,-dac_read_search'] } }
    : {};

/** No file may grow beyond so many blocks of 512 bytes, as on a disk that is full. */
const onFullDisk = (blocks: number): { launch: Launch } => ({
  launch: { command: '/bin/sh', args: ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`] },
});

const start = (DATA_DIR: string, options: { launch?: Launch } = {}) =>
  runToEnd(['dist/main.js'], { ...world.env, DATA_DIR }, { ...options, mostMs });

/** Every file below the folder, with a hash of what is in it. */
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

/** Ended at once with one clear line, and nothing said that it was ready. */
function expectClearEnd({ code, stdout, stderr }: Ended): void {
  const said = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  expect({ code, stdout, said }).toEqual({ code: 1, stdout: '', said: [expect.stringMatching(SENTENCE)] });
  expect(said[0]).toMatch(/record store|DATA_DIR/);
}

/** With the same folder, unhindered, the product starts and still knows who is signed in. */
async function expectAllThere(DATA_DIR: string): Promise<void> {
  await startOn(DATA_DIR);
  const answer = await world.call('/github-check-webauthn-params', {}, mona);
  expect([answer.status, answer.text]).toEqual([400, 'missing installation']);
}

describe('a record store that is damaged', () => {
  it.each<[what: string, damage: (file: string) => void]>([
    [
      'garbage',
      (file) => {
        const open = openSync(file, 'r+');
        writeSync(open, randomBytes(64 * 1024), 0);
        closeSync(open);
      },
    ],
    [
      'garbage after a whole first page',
      (file) => {
        const open = openSync(file, 'r+');
        writeSync(open, randomBytes(256 * 1024), 0, 256 * 1024, 8192);
        closeSync(open);
      },
    ],
    [
      'cut in half',
      (file) => {
        const open = openSync(file, 'r+');
        ftruncateSync(open, Math.floor(statSync(file).size / 2));
        closeSync(open);
      },
    ],
  ])(
    'keeps the product from starting, and stays as it is: %s',
    async (_what, damage) => {
      const folder = dataFolder();
      damage(join(folder, DATA, 'data.db'));
      const before = hashes(join(folder, DATA));
      expectClearEnd(await start(folder));
      expect(hashes(join(folder, DATA))).toMatchObject(before);
      expect(existsSync(join(folder, DATA, 'data.db'))).toBe('/data.db' in before);
    },
    40_000,
  );
});

describe('a data folder that is read-only', () => {
  it('keeps the product from starting, and stays as it is', async () => {
    const folder = dataFolder();
    const before = hashes(folder);
    makeWritable(folder, false);
    expectClearEnd(await start(folder, asAnybody));
    makeWritable(folder, true);
    expect(hashes(folder)).toEqual(before);
  }, 40_000);

  it('keeps the product from starting also if only the records are read-only', async () => {
    const folder = dataFolder();
    const before = hashes(folder);
    makeWritable(join(folder, DATA), false);
    expectClearEnd(await start(folder, asAnybody));
    makeWritable(folder, true);
    expect(hashes(folder)).toEqual(before);
    await expectAllThere(folder);
  }, 40_000);
});

describe('a disk that is full', () => {
  it('keeps a new product from starting', async () => {
    expectClearEnd(await start(dataFolder(true), onFullDisk(64)));
  }, 40_000);

  it('keeps a product from starting, and loses nothing', async () => {
    const folder = dataFolder();
    expectClearEnd(await start(folder, onFullDisk(16)));
    await expectAllThere(folder);
  }, 60_000);

  it('lets nobody approve while it is, and loses nothing', async () => {
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

    limit('unlimited');
    await until('the record store to take records again', async () => {
      const answer = await approvalOptions(world, octocat, params).catch(() => null);
      if (!answer) return false;
      const again = { ...body, authResponse: octocatsKey.get(answer.options) };
      return (await world.call('/github-check-webauthn', again, octocat)).status === 200;
    });
    expect((await runs()).map(({ conclusion }) => conclusion)).toEqual(['success']);
  }, 60_000);
});

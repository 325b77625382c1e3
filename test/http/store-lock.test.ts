import { execFile } from 'node:child_process';
import { closeSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import type { LocalGitHub } from '../../demo/local-github.ts';
import { createStoreClient } from '../../src/adapters/pocketbase/client.ts';
import { readSchemaVersion } from '../../src/adapters/pocketbase/migrate.ts';
import { SUPERUSER, upsertSuperuser } from '../../src/adapters/pocketbase/process/commands.ts';
import { isLocked, tryLock } from '../../src/adapters/pocketbase/process/folder-lock.ts';
import {
  removeProcessMarker,
  writeProcessMarker,
} from '../../src/adapters/pocketbase/process/process-marker.ts';
import {
  findOrStartStore,
  type Store,
  startEmbeddedStore,
  startStore,
} from '../../src/adapters/pocketbase/process/start-store.ts';
import { APP_KEY } from '../support/app-key.ts';
import { startLocalGitHub } from '../support/built.ts';
import { freePort, until } from '../support/product.ts';
import { type Env, processesOf, Running } from '../support/running.ts';
import { removeScratches, scratch, scratchWithStore, settingsOf } from '../support/stored.ts';
import { silent } from '../support/stores.ts';
import { LONG_PATIENCE_MS } from '../support/until.ts';

jest.setTimeout(180_000);

let github: LocalGitHub;
const running: Running[] = [];
beforeAll(async () => {
  github = await startLocalGitHub({ privateKey: APP_KEY, port: 0, publicUrl: 'http://localhost:3000' });
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.clear();
});
afterAll(async () => {
  await github?.close();
  removeScratches();
});

const storesOver = (dataDir: string) => processesOf(`--dir=${dataDir}`);

async function settings(
  dataDir = scratchWithStore(),
): Promise<Env & { DATA_DIR: string; PUBLIC_URL: string }> {
  const port = await freePort();
  const PUBLIC_URL = `http://localhost:${port}`;
  return { ...github.env, PUBLIC_URL, PORT: String(port), HOST: 'localhost', DATA_DIR: dataDir };
}

function run(env: Env, ...args: string[]): Running {
  const one = new Running(env, { args });
  running.push(one);
  return one;
}

const EVERY_COMMAND = [
  ['backup'],
  ['sweep'],
  ['rotate-signing-key'],
  ['doctor'],
  ['person', 'forget', '17'],
  ['confirm-owner', 'octo-org', 'octocat'],
];

/** They find the store in the same way, except the doctor. */
const COMMANDS = process.env.SOAK ? EVERY_COMMAND : [['backup'], ['doctor']];

/** An installation whose product has stopped. */
async function stoppedProduct() {
  const env = await settings();
  const product = run(env, 'start');
  await product.ready();
  product.child.kill('SIGTERM');
  await product.ended();
  return env;
}

it('commands that run while OTP Guard starts use its store, whatever the phase of the start', async () => {
  const env = await stoppedProduct();
  // The phases come one after the other while the commands begin at any of them.
  const product = run(env, 'start');
  const commands = EVERY_COMMAND.map((args) => run(env, ...args));
  await product.ready();
  for (const command of commands) await command.ended();
  const codes = Object.fromEntries(commands.map(({ code, child }) => [child.spawnargs[2], code]));
  // Nobody has signed in, so there is no owner. The doctor may find that the product isn't ready yet.
  const worked = { backup: 0, sweep: 0, 'rotate-signing-key': 0, person: 0, 'confirm-owner': 1 };
  expect([codes, commands.map(({ stderr }) => stderr)]).toMatchObject([worked, expect.anything()]);
  // The product wasn't locked out of its own records.
  expect(product.stderr).not.toMatch(/"level":(50|60)/);
  expect(await (await fetch(`${env.PUBLIC_URL}/readyz`)).text()).toMatch(/^ok/);
  expect(storesOver(env.DATA_DIR)).toHaveLength(1);
});

it.each(COMMANDS)('%s waits for a store that is being started, and starts no second one', async (...args) => {
  const env = await settings();
  const config = settingsOf(env.DATA_DIR, { ...github.env, SECRET_KEY: '' });
  const { dataDir } = { dataDir: env.DATA_DIR };
  // The folders of an installation.
  await (await startStore(config, silent)).stop();
  const lock = tryLock(dataDir, 'store');
  if (!lock) throw new Error('somebody has the lock');
  const command = run(env, ...args);
  const isWaiting = () => command.stderr.includes('Waiting until another OTP Guard') || args[0] === 'doctor';
  await until('it to wait', isWaiting, LONG_PATIENCE_MS);
  expect(storesOver(dataDir)).toEqual([]);
  const store = await startEmbeddedStore({
    dataDir,
    publicUrl: 'http://localhost',
    log: silent,
    lock: lock.pipe,
  });
  const [only] = storesOver(dataDir);
  const client = createStoreClient(store);
  await readSchemaVersion(client);
  writeProcessMarker(dataDir, store, lock.name);
  await command.ended();
  expect(command.stderr).not.toContain('is running over');
  // Its password is still the same as at its start.
  await readSchemaVersion(createStoreClient(store));
  expect(storesOver(dataDir)).toEqual([only]);
  removeProcessMarker(dataDir);
  await store.stop();
  lock.release();
});

it('a start waits for a command that holds a stopped store, and says so', async () => {
  const env = await stoppedProduct();
  const config = settingsOf(env.DATA_DIR, { ...github.env, SECRET_KEY: '' });
  const command = await findOrStartStore(config, silent);
  const product = run(env, 'start');
  await until('it to wait', () => product.said.some((line) => line.startsWith('Waiting')), LONG_PATIENCE_MS);
  expect(await readSchemaVersion(createStoreClient(command.address))).toBeGreaterThan(0);
  await command.stop();
  expect(await product.ready()).toMatchObject({ ready: true });
});

it('a lock is free after its release, and after its holder died without a word', () => {
  const folder = scratch();
  const dead = tryLock(folder, 'store');
  if (!dead) throw new Error('somebody has the lock');
  expect(tryLock(folder, 'store')).toBeNull();
  // The pipe stays, and nobody has it open.
  closeSync(dead.pipe);
  expect(isLocked(folder, dead.name)).toBe(false);
  const next = tryLock(folder, 'store');
  expect([isLocked(folder, 'store'), isLocked(folder, 'restore')]).toEqual([true, false]);
  const other = tryLock(folder, 'restore');
  expect(readdirSync(folder).sort()).toEqual([other?.name, next?.name]);
  next?.release();
  other?.release();
  // A pipe could not be copied with the folder.
  expect(readdirSync(folder)).toEqual([]);
});

it('of processes that want the lock at the same moment, one has it', async () => {
  const folder = scratch();
  const lockModule = new URL('../../dist/adapters/pocketbase/process/folder-lock.js', import.meta.url);
  const script = `
    import { closeSync, mkdirSync, rmdirSync } from 'node:fs';
    import { tryLock } from '${lockModule}';
    const held = process.argv[1] + '/held';
    for (let left = 20; left > 0; ) {
      const lock = tryLock(process.argv[1], 'store');
      if (!lock) continue;
      left -= 1;
      // Fails while another process has the lock.
      mkdirSync(held);
      rmdirSync(held);
      // Half of them die without a word.
      if (left % 2 === 0) lock.release();
      else closeSync(lock.pipe);
    }
  `;
  const args = ['--input-type=module', '-e', script, folder];
  await Promise.all([...Array(4)].map(() => promisify(execFile)(process.execPath, args)));
  expect(isLocked(folder, 'store')).toBe(false);
  expect(readdirSync(folder)).not.toContain('held');
});

it('a killed product’s lock is free as soon as its store has ended, and not before', async () => {
  const env = await settings();
  const product = run(env, 'start');
  await product.ready();
  const { lock } = JSON.parse(readFileSync(join(env.DATA_DIR, 'running.json'), 'utf8')) as { lock: string };
  expect(isLocked(env.DATA_DIR, lock)).toBe(true);
  const [store = 0] = storesOver(env.DATA_DIR);
  // The watchdog's signal stays pending until the store continues.
  process.kill(store, 'SIGSTOP');
  product.child.kill('SIGKILL');
  await product.ended();
  expect(isLocked(env.DATA_DIR, lock)).toBe(true);
  process.kill(store, 'SIGCONT');
  await until('the lock to be free', () => !isLocked(env.DATA_DIR, lock), LONG_PATIENCE_MS);
  expect(storesOver(env.DATA_DIR)).toEqual([]);
  const next = run(env, 'start');
  expect(await next.ready()).toMatchObject({ ready: true });
});

it('a product whose password at its own store was changed sets it again', async () => {
  const dataDir = scratch();
  let store: Store | undefined;
  try {
    store = await startStore(settingsOf(dataDir), silent);
    const client = createStoreClient(store.address, { dataDir });
    await readSchemaVersion(client);
    await upsertSuperuser(dataDir, { email: SUPERUSER, password: 'of-another-process' });
    expect(await readSchemaVersion(client)).toBe(0);
  } finally {
    await store?.stop();
  }
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createStoreClient, type StoreClient } from '../../src/adapters/pocketbase/client.ts';
import { deleteExpired } from '../../src/adapters/pocketbase/records/delete-expired.ts';
import { registerPasskey } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import {
  approvalOptions,
  approveByKey,
  startTestProduct,
  type TestProduct,
  targetOf,
  until,
} from '../support/product.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Everything that is kept for three months has expired by then. */
const [SETTLED, END] = [95, 115];
/** After these, nothing happens but what the scheduler does. */
const IDLE_DAYS = 50;
/** One record for each approval, entry of the log, commit with an approval, and head that passed: what the log shows. */
const LASTING = ['approvals', 'check_runs', 'gh_activities', 'gh_commits'];
/** The most that a day with one approval may take. */
const MOST = { bytesOnDisk: 300_000, heapOfIdleDays: 2_000_000 };

/** Makes the record store's clock the test's: it writes these fields itself. */
const CLOCK_HOOK = `onRecordCreate((event) => {
  const now = new DateTime(toString($os.readFile(__hooks + '/now')));
  if (event.record.collection().fields.getByName('created')) event.record.setRaw('created', now);
  event.next();
});`;

let day = 0;
const clock = { now: () => new Date(Date.now() + day * DAY_MS) };

let dataDir: string;
let world: TestProduct;
let client: StoreClient;
let passkey: SoftwareAuthenticator;

/** When this day's records are created. */
let today: string;
const setClock = (next: number) => {
  day = next;
  today = clock.now().toISOString().replace('T', ' ');
  writeFileSync(join(dataDir, 'pocketbase', 'hooks', 'now'), today);
};

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-months-'));
  mkdirSync(join(dataDir, 'pocketbase', 'hooks'), { recursive: true });
  writeFileSync(join(dataDir, 'pocketbase', 'hooks', 'clock.pb.js'), CLOCK_HOOK);
  setClock(0);
  const waits = { reconcileEveryMs: 1_000 };
  world = await startTestProduct({ clock, env: { DATA_DIR: dataDir }, unlimited: true, waits });
  client = createStoreClient(JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')), { clock });
  passkey = await registerPasskey(world, await world.signIn('mona'));
  // An open pull request gets another run every two weeks, so that GitHub doesn't give its run up.
  await world.asAdmin('PATCH', '/repos/octo-org/hello/pulls/1', { state: 'closed' });
});
afterAll(async () => {
  await world?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A pull request that is approved, another that isn't, and a challenge that nobody answers. Both are closed then. */
async function approveOne(): Promise<void> {
  const mona = await world.signIn('mona');
  const [pull, other] = [await world.pendingPull(`Day ${day}`), await world.pendingPull(`Not on day ${day}`)];
  await approvalOptions(world, mona, targetOf(world, pull));
  await approveByKey(world, mona, passkey, pull);
  await until(`the green check of day ${day}`, async () =>
    (await world.runs(pull.head.sha)).some(({ conclusion }) => conclusion === 'success'),
  );
  for (const { number } of [pull, other])
    await world.asAdmin('PATCH', `/repos/octo-org/hello/pulls/${number}`, { state: 'closed' });
}

/** Does the scheduler's work of a day. */
async function passDay(next: number): Promise<void> {
  setClock(next);
  const ofToday = { filter: `created >= "${today}"`, skipTotal: true };
  const sweepsToday = () =>
    client.run((records) => records.collection('reconcile_reports').getList(1, 1, ofToday));
  await until('a sweep on this day', async () => (await sweepsToday()).items.length > 0);
  await deleteExpired(client, clock.now());
}

const count = async (name: string, filter = ''): Promise<number> => {
  const page = await client.run((records) =>
    records.collection(name).getList(1, 1, { fields: 'id', filter }),
  );
  return page.totalItems;
};

/** The number of older records of each table. Some tables have one for each second of a day's work. */
async function counts(): Promise<Record<string, number>> {
  const all = await client.run((records) => records.collections.getFullList());
  const found: Record<string, number> = {};
  for (const { name, fields } of all.filter(({ name, type }) => type !== 'view' && !name.startsWith('_'))) {
    found[name] = await count(name, ofEarlierDays(fields.map((field) => field.name)));
  }
  return found;
}

/** A record that isn't kept for long and has no date was made today if it expires soon. */
function ofEarlierDays(fields: string[]): string {
  if (fields.includes('created')) return `created < "${today}"`;
  const soon = new Date(clock.now().getTime() + 2 * DAY_MS).toISOString().replace('T', ' ');
  return fields.includes('expires') ? `expires < "${today}" || expires > "${soon}"` : '';
}

/** SQLite removes its companions when nothing has a file open for a while. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !/-(wal|shm)$/.test(name))
    .length;

/** Counts records, files and bytes, and takes the log's lines since the last time, without those of requests. */
async function measure() {
  const lines = world.log.splice(0).filter((line) => (JSON.parse(line) as { level: number }).level >= 40);
  const data = join(dataDir, 'pocketbase', 'data');
  const bytes = ['data.db', 'data.db-wal'].map(
    (name) => statSync(join(data, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return {
    tables: await counts(),
    files: filesIn(dataDir),
    bytes: bytes.reduce((sum, size) => sum + size, 0),
    warnings: lines,
  };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it('keeps tables, files and memory from growing in months of one day each', async () => {
  const seen: Record<number, Awaited<ReturnType<typeof measure>>> = {};
  for (let next = 1; next <= END; next += 1) {
    await passDay(next);
    await approveOne();
    if (next === SETTLED || next === END) seen[next] = await measure();
    world.log.length = 0;
  }
  const [settled, end] = [seen[SETTLED], seen[END]];
  const growth = Object.entries(end?.tables ?? {}).map(
    ([name, count]) => [name, count - (settled?.tables[name] ?? 0)] as const,
  );
  // Where something waits at that moment, there's one more or less; what is kept grows with each day.
  const days = END - SETTLED;
  const grown = Object.fromEntries(growth.filter(([, more]) => more >= days));
  expect(Object.keys(grown).sort()).toEqual(LASTING);
  // The heads that nobody approved are gone again.
  expect([grown.approvals, grown.check_runs]).toEqual([days, days]);
  expect(end?.files).toBe(settled?.files);
  expect((end?.bytes ?? 0) - (settled?.bytes ?? 0)).toBeLessThan(days * MOST.bytesOnDisk);
  expect([settled?.warnings, end?.warnings]).toEqual([[], []]);

  // GitHub is in this process, too, so memory is compared over days on which it gets nothing new.
  const [before, entries] = [heapUsed(), await count('gh_activities')];
  for (let next = END + 1; next <= END + IDLE_DAYS; next += 1) await passDay(next);
  world.log.length = 0;
  expect(heapUsed() - before).toBeLessThan(MOST.heapOfIdleDays);
  expect(await count('gh_activities')).toBe(entries);
}, 3_600_000);

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDailyBackups, type DailyBackups } from '../../src/pocketbase/backups/daily-backups.ts';
import { createStoreClient, type StoreClient } from '../../src/pocketbase/client.ts';
import { createBackupTurns } from '../../src/pocketbase/records/backup-turns.ts';
import { deleteExpired } from '../../src/pocketbase/records/delete-expired.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import {
  approvalOptions,
  registerPasskey,
  startTestProduct,
  type TestProduct,
  targetOf,
  until,
} from '../support/product.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** In the long form, every day has its pull request; otherwise every tenth. */
const PULL_EVERY = process.env.SOAK ? 1 : 10;
/** Everything that expires within two months does so by then: a key for each backup is kept longest. */
const [SETTLED, END] = [70, 90];
/** One record for each approval, entry of the log, commit with an approval, and head: they're what the log shows. */
const LASTING = ['approvals', 'check_runs', 'gh_activities', 'gh_commits'];

/** Makes the record store's clock the test's: it writes these fields by itself. */
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
let backups: DailyBackups;

const setClock = (next: number) => {
  day = next;
  writeFileSync(join(dataDir, 'pocketbase', 'hooks', 'now'), clock.now().toISOString().replace('T', ' '));
};

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-months-'));
  mkdirSync(join(dataDir, 'pocketbase', 'hooks'), { recursive: true });
  writeFileSync(join(dataDir, 'pocketbase', 'hooks', 'clock.pb.js'), CLOCK_HOOK);
  setClock(0);
  world = await startTestProduct({ clock, env: { DATA_DIR: dataDir }, unlimited: true });
  client = createStoreClient(JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')), { clock });
  backups = createDailyBackups({
    folder: join(dataDir, 'backups'),
    turns: createBackupTurns(client),
    write: async (path) => writeFileSync(path, 'a backup'),
    clock,
    onMade: () => undefined,
    onFailed(error) {
      throw error;
    },
  });
  passkey = await registerPasskey(world, await world.signIn('mona'));
});
afterAll(async () => {
  await world?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A pull request that is approved and closed, and a challenge that nobody answers. */
async function approveOne(): Promise<void> {
  const mona = await world.signIn('mona');
  const pull = await world.pendingPull(`Day ${day}`);
  const params = targetOf(world, pull);
  await approvalOptions(world, mona, params);
  const { options } = await approvalOptions(world, mona, params);
  const body = { params, authResponse: passkey.get(options), accessToken: mona.accessToken };
  const answer = await world.call('/github-check-webauthn', body, mona);
  expect([day, answer.status]).toEqual([day, 200]);
  await until('the green check', async () =>
    (await world.runs(pull.head.sha)).some(({ conclusion }) => conclusion === 'success'),
  );
  await world.asAdmin('PATCH', `/repos/octo-org/hello/pulls/${pull.number}`, { state: 'closed' });
}

/** How many records each table has. */
async function counts(): Promise<Record<string, number>> {
  const all = await client.run((records) => records.collections.getFullList());
  const found: Record<string, number> = {};
  for (const { name } of all.filter(({ name, type }) => type !== 'view' && !name.startsWith('_')))
    found[name] = (
      await client.run((records) => records.collection(name).getList(1, 1, { fields: 'id' }))
    ).totalItems;
  return found;
}

const filesIn = (folder: string) => readdirSync(folder, { recursive: true }).length;

it('keeps tables and files from growing in three months of one day each', async () => {
  const seen: Record<number, { tables: Record<string, number>; files: number }> = {};
  for (let next = 1; next <= END; next += 1) {
    setClock(next);
    if (next % PULL_EVERY === 0) await approveOne();
    // What the scheduler does.
    await deleteExpired(client, clock.now());
    await backups.round();
    if (next === SETTLED || next === END) seen[next] = { tables: await counts(), files: filesIn(dataDir) };
  }
  const [settled, end] = [seen[SETTLED], seen[END]];
  const grown = Object.entries(end?.tables ?? {}).filter(
    ([name, count]) => count > (settled?.tables[name] ?? 0),
  );
  expect(grown.map(([name]) => name).sort()).toEqual(LASTING);
  expect(end?.files).toBe(settled?.files);
  expect(readdirSync(join(dataDir, 'backups'))).toHaveLength(7);
}, 600_000);

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pMap from 'p-map';
import pino from 'pino';
import { createFindings } from '../../src/adapters/pocketbase/audit/effects.ts';
import { createLogReader } from '../../src/adapters/pocketbase/audit/log-reader.ts';
import { writeBackup } from '../../src/adapters/pocketbase/backups/write-backup.ts';
import { createStoreClient, type StoreClient } from '../../src/adapters/pocketbase/client.ts';
import { migrate } from '../../src/adapters/pocketbase/migrate.ts';
import { createOrganizationStores } from '../../src/adapters/pocketbase/organizations/stores.ts';
import { readRestoreMarker, requireNoRestore } from '../../src/adapters/pocketbase/process/restore-marker.ts';
import {
  findOrReplaceStore,
  findOrStartStore,
  startStore,
} from '../../src/adapters/pocketbase/process/start-store.ts';
import { createLeases } from '../../src/adapters/pocketbase/records/leases.ts';
import { endInterruptedRestore, replaceRecords } from '../../src/app/replace-records.ts';
import { openInTemporaryStore } from '../../src/cli/open-in-temporary-store.ts';
import { logRestore } from '../../src/organizations/log-restore.ts';
import { APP_KEY } from '../support/app-key.ts';
import { startLocalGitHub } from '../support/built.ts';
import { bundleOf } from '../support/program.ts';
import { processesOf, Running } from '../support/running.ts';
import {
  asideOf,
  backUp,
  DAMAGE,
  damage,
  databaseOf,
  decrypted,
  drill,
  leftIn,
  OTHER_KEY,
  overStore,
  removeScratches,
  type Settings,
  scratch,
  scratchWithStore,
  settingsOf,
  storeApproval,
  storeEntry,
} from '../support/stored.ts';
import {
  activityLogOf,
  GITHUB,
  recordSeals,
  SECRET_KEY,
  signingKeysOf,
  silent,
  startEmptyStore,
  superuserOf,
} from '../support/stores.ts';
import { until } from '../support/until.ts';

/** Cases that only `npm run test:soak` tries. */
const inSoak = <T>(...cases: T[]) => (process.env.SOAK ? cases : []);

type Entry = { created: string; data: { backup?: string } };
const BACKED_UP = expect.stringMatching(/^\d{4}-.*Z$/);

/** A stopped store, and a backup of it. */
let stopped: string;
let backup: string;
let genuine: string;

beforeAll(async () => {
  stopped = scratchWithStore();
  backup = join(scratch(), 'state.zip.age');
  const config = settingsOf(stopped);
  await overStore(config, async ({ client }) => {
    genuine = await storeApproval(config, client);
    await writeBackup({ config, client }, { path: backup, now: new Date() });
  });
});
afterAll(removeScratches);

function copyOfStopped(): string {
  const dataDir = scratch();
  cpSync(stopped, dataDir, { recursive: true });
  return dataDir;
}

/** Does the part of `otp-guard restore` before it compares with GitHub. Returns its warnings. */
async function restore(config: Settings, path: string) {
  const warned: { msg: string; ignored?: number; counted?: number }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warned.push(JSON.parse(line)) });
  const backup = await openInTemporaryStore(config, log, path);
  const store = await findOrReplaceStore(config, log);
  try {
    await replaceRecords({ config, log, store, client: createStoreClient(store.address) }, backup);
  } finally {
    await store.stop().finally(backup.stop);
  }
  return warned;
}

describe('a restore drill', () => {
  it('creates no key that would be in the way of the lost one, and nor does a restore', async () => {
    const dataDir = scratch();
    await expect(
      openInTemporaryStore(settingsOf(dataDir, { SECRET_KEY: '' }), silent, backup),
    ).rejects.toThrow(`There is no key for this backup: put back ${dataDir}/secret.key, or set SECRET_KEY.`);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('refuses a backup whose log was changed', async () => {
    const config = settingsOf(copyOfStopped());
    const file = join(scratch(), 'changed.zip.age');
    await overStore(config, async ({ client }) => {
      await storeEntry(client);
      await client.run(async (records) => {
        const { id } = await records.collection('gh_activities').getFirstListItem('');
        await records.collection('gh_activities').update(id, { data: { login: 'mallory' } });
      });
      await writeBackup({ config, client }, { path: file, now: new Date() });
    });
    await expect(drill(config, file)).rejects.toThrow(/^Somebody changed the log in this backup: entry 1 of/);
  });
});

describe('a store that is damaged', () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = copyOfStopped();
    damage(dataDir);
  });

  it('stays where it is if SECRET_KEY has sealed neither its records nor those of the backup', async () => {
    const wrong = settingsOf(dataDir, { SECRET_KEY: OTHER_KEY });
    await expect(restore(wrong, await decrypted(backup))).rejects.toThrow(
      /^None of the records of this backup would count: .* Put the SECRET_KEY that the backup was made with behind/,
    );
    expect(readFileSync(databaseOf(dataDir), 'utf8')).toBe(DAMAGE);
    expect(asideOf(dataDir)).toEqual([]);
  });

  it('is put aside, untouched, by a restore, which brings the copy back, but no superuser of before', async () => {
    // The key of the backup's time is behind the present one.
    expect(await restore(settingsOf(dataDir, { SECRET_KEY: `${OTHER_KEY},${SECRET_KEY}` }), backup)).toEqual([
      expect.objectContaining({ msg: expect.stringContaining('its folder was renamed') }),
    ]);
    const [kept = '', ...more] = asideOf(dataDir);
    expect(more).toEqual([]);
    expect(readFileSync(join(dataDir, kept, 'data', 'data.db'), 'utf8')).toBe(DAMAGE);
    expect(processesOf(dataDir)).toEqual([]);
    await overStore(settingsOf(dataDir), async ({ address }) => {
      const records = await superuserOf(address);
      expect(await records.collection('_superusers').getFullList()).toHaveLength(1);
      const row = await records.collection('approvals').getOne(genuine);
      expect(recordSeals().isOurs('approvals', row)).toBe(true);
    });
  });

  it.each<[string, (dataDir: string) => void]>([
    ['is empty', (dataDir) => writeFileSync(databaseOf(dataDir), '')],
    ['is gone', (dataDir) => rmSync(databaseOf(dataDir))],
  ])('is not taken for a new one if its data %s', async (_what, change) => {
    const dataDir = copyOfStopped();
    damage(dataDir);
    change(dataDir);
    await expect(findOrStartStore(settingsOf(dataDir), silent)).rejects.toThrow(
      /has lost its data.*otp-guard restore <file>$/,
    );
    expect(existsSync(databaseOf(dataDir)) ? statSync(databaseOf(dataDir)).size : 0).toBe(0);
  });
});

/** The record store begins a restore two seconds after it was asked, as with a large backup. */
function slowDownRestores() {
  const { fetch } = globalThis;
  return jest.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    if (!String(request[0]).endsWith('/restore')) return fetch(...request);
    setTimeout(() => fetch(...request), 2_000);
    return new Response(null, { status: 204 });
  });
}

describe('over an external store', () => {
  let store: Awaited<ReturnType<typeof startEmptyStore>>;
  const external = (env: Record<string, string> = {}) =>
    settingsOf(scratch(), {
      POCKETBASE_URL: store.url,
      POCKETBASE_SUPERUSER_EMAIL: store.email,
      POCKETBASE_SUPERUSER_PASSWORD: store.password,
      ...env,
    });
  beforeAll(async () => {
    store = await startEmptyStore('prepared');
    await overStore(external(), async ({ client }) => {
      await storeApproval(external(), client);
      await storeEntry(client);
    });
  });
  afterAll(() => store?.stop());

  it('no backup is restored with a key that has sealed none of the present records', async () => {
    const path = join(scratch(), 'of-another.zip.age');
    const other = settingsOf(scratchWithStore(), { SECRET_KEY: OTHER_KEY });
    await overStore(other, ({ client }) => migrate(client, other, GITHUB));
    await backUp(other, path);
    await expect(restore(external({ SECRET_KEY: OTHER_KEY }), path)).rejects.toThrow(
      /^SECRET_KEY is not the key that the records were sealed with\./,
    );
    expect(await store.records.collection('approvals').getFullList()).toMatchObject([{ id: genuine }]);
  });

  it('a restore brings the records back, even if that takes the store long, warns of forged ones, and leaves no other superuser', async () => {
    const approvals = store.records.collection('approvals');
    const superusers = store.records.collection('_superusers');
    const { mac } = await approvals.getOne(genuine);
    for (const [pr, forged] of [mac, ''].entries())
      await approvals.create({ repo_id: 1, pr, head: 'bb', method: 'totp', mac: forged });
    const former = { email: 'former@acme.test', password: 'password-of-former' };
    const { id } = await superusers.create({ ...former, passwordConfirm: former.password });
    const path = join(scratch(), 'external.zip.age');
    const config = external();
    const openLease = () => createLeases(createStoreClient(store), 60 * 60_000).open('sweep');
    await openLease().renew();
    await backUp(config, path);
    await superusers.delete(id);
    await approvals.delete(genuine);
    const keys = signingKeysOf(createStoreClient(store));
    const { id: newest } = await keys.rotate();

    const slow = slowDownRestores();
    const [warning, ...more] = await restore(config, path).finally(() => slow.mockRestore());
    expect([warning, more]).toMatchObject([{ counted: 2, ignored: 2 }, []]);
    expect(warning?.msg).toContain('If none did, somebody changed the backup');
    await superusers.authWithPassword(store.email, store.password);
    // Nobody waits for a process that worked when the backup was made.
    const lease = openLease();
    await lease.renew();
    expect(lease.isHeld()).toBe(true);
    // The key that is newer than the backup continues to sign, and what it signed can be verified.
    expect([(await keys.published()).length, (await keys.current()).id]).toEqual([2, newest]);
    const rows = await approvals.getFullList<{ id: string }>();
    const ours = rows.filter((row) => recordSeals().isOurs('approvals', row));
    expect([rows.length, ours.map(({ id }) => id)]).toEqual([3, [genuine]]);
    expect(await superusers.getFullList()).toMatchObject([{ email: store.email }]);
    // The log of an organization continues where the backup ends, and says so; an empty one stays empty.
    const entries = store.records.collection('gh_activities');
    const [first, second, ...none] = await entries.getFullList<Entry>({ sort: 'entry_number' });
    const restored = { activity: 'restore', entry_number: 2, data: { org: 'octo-org', backup: BACKED_UP } };
    expect([second, none]).toMatchObject([restored, []]);
    const backupAt = new Date(String(second?.data.backup));
    expect(backupAt.getTime()).toBeGreaterThanOrEqual(Date.parse(first?.created ?? ''));
    const client = createStoreClient(store);
    const stores = createOrganizationStores(client, activityLogOf(client));
    const findings = createFindings(activityLogOf(client));
    const auditLog = createLogReader(client, signingKeysOf(client));
    await logRestore({ ...stores, findings, auditLog, onUnlogged: () => undefined }, backupAt);
    expect(await entries.getFullList()).toHaveLength(2);
  });
});

describe('a restore that a signal meets', () => {
  const LOGGED = ['setOrgImage', 'restore'];
  let after: string;
  let older: string;

  /** The parts that a restore changes of a store that was begun with `storeEntry`. */
  const describeStore = ({ client }: { client: StoreClient }) =>
    client.run(async (records) => {
      const all = <T>(name: string, sort = 'id') => records.collection(name).getFullList<T>({ sort });
      const entries = await all<{ activity: string }>('gh_activities', 'org,entry_number');
      return {
        approvals: (await all('approvals')).length,
        refusedCodes: (await all('totp_steps')).length,
        reports: (await all('reconcile_reports')).length,
        keys: (await all('signing_keys')).length,
        logged: entries.map(({ activity }) => activity),
      };
    });
  const CHANGED = { approvals: 0, refusedCodes: 0, reports: 1, keys: 2, logged: LOGGED.slice(0, 1) };
  const RESTORED = { approvals: 1, refusedCodes: 1, reports: 0, keys: 2, logged: LOGGED };

  beforeAll(async () => {
    after = copyOfStopped();
    older = join(scratch(), 'older.zip.age');
    const config = settingsOf(after);
    await overStore(config, async ({ client }) => {
      await storeEntry(client);
      await client.run(async (records) => {
        const org = await records.collection('organizations').getFirstListItem('name = "octo-org"');
        const password = 'a-password-of-the-tests';
        const fields = { email: 'mona@unconfirmed.invalid', password, passwordConfirm: password };
        const mona = await records
          .collection('gh_users')
          .create({ ...fields, github_id: 11, username: 'mona' });
        await records.collection('totps').create({ user_id: mona.id, org_id: org.id });
        await records.collection('reconcile_reports').create({ report: {} });
      });
      await writeBackup({ config, client }, { path: older, now: new Date() });
      await signingKeysOf(client).rotate();
      await client.run((records) => records.collection('approvals').delete(genuine));
    });
  });

  /** Restores over a copy of the changed store, and sends the process this signal at this step. */
  async function interrupt(signal: NodeJS.Signals, at: string) {
    const dataDir = scratch();
    cpSync(after, dataDir, { recursive: true });
    const input = JSON.stringify({ path: older, signal, at, github: GITHUB });
    const env = { DATA_DIR: dataDir, SECRET_KEY };
    const process = new Running(env, { program: bundleOf('restore-process'), args: [input] });
    await process.ended();
    await until('its record store to end', async () => processesOf(dataDir).length === 0);
    return { dataDir, config: settingsOf(dataDir), process };
  }

  it('changes nothing or everything, at whichever step it is killed', async () => {
    const before = ['request 1', ...inSoak('request 2', 'asks')];
    const later = ['seen', ...inSoak('replaced')];
    const steps = [...before, 'answered', ...later];
    const outcomes = await pMap(steps, killedAt, { concurrency: 4 });
    const answered = outcomes[before.length];
    // The store that it asked ends with it, before or after it has replaced the records.
    expect([CHANGED, RESTORED]).toContainEqual(answered);
    expect(outcomes).toEqual([...before.map(() => CHANGED), answered, ...later.map(() => RESTORED)]);
  });

  /** What a start does about an interrupted restore. Returns the events that it logs. */
  async function startAgain(config: Settings, client: StoreClient) {
    const events: string[] = [];
    const log = pino({}, { write: (line: string) => void events.push(JSON.parse(line).event) });
    await endInterruptedRestore({ config, client, log });
    return events;
  }

  /** Describes the store after a restore was killed at this step, and starts again. */
  async function killedAt(step: string) {
    const { dataDir, config, process } = await interrupt('SIGKILL', step);
    expect(process.child.signalCode).toBe('SIGKILL');
    const { isRestoring } = readRestoreMarker(dataDir);
    // While a start could still find replaced records, no command and no product uses them.
    expect(isRestoring || ['request 1', 'request 2', 'replaced'].includes(step)).toBe(true);
    if (isRestoring)
      expect(() => requireNoRestore(dataDir)).toThrow(/^A restore was interrupted, .*again\.$/);
    const [outcome, logged] = await overStore(config, async (store) => {
      const outcome = await describeStore(store);
      return [outcome, await startAgain(config, store.client)];
    });
    const isDone = outcome.approvals === RESTORED.approvals;
    expect(logged).toEqual(isRestoring ? [isDone ? 'restore_finished' : 'restore_undone'] : []);
    expect(readRestoreMarker(dataDir).isRestoring).toBe(false);
    return outcome;
  }

  describe('at a terminal', () => {
    let github: Awaited<ReturnType<typeof startLocalGitHub>>;
    const running: Running[] = [];
    beforeAll(async () => {
      github = await startLocalGitHub({ privateKey: APP_KEY, port: 0, publicUrl: 'http://localhost:3000' });
    });
    afterAll(async () => {
      for (const one of running) await one.clear();
      await github?.close();
    });

    /** Runs this command over a copy of the changed store, and interrupts it with its children. */
    async function runInterrupted(
      args: string[],
      isTime: (dataDir: string) => boolean,
      signal: NodeJS.Signals = 'SIGINT',
    ) {
      const dataDir = scratch();
      cpSync(after, dataDir, { recursive: true });
      const env = { ...github.env, DATA_DIR: dataDir, SECRET_KEY, PUBLIC_URL: 'http://localhost:3000' };
      const process = new Running(env, { args: [...args, '--json'], isLeader: true });
      running.push(process);
      await until('the time to interrupt it', () => isTime(dataDir) || process.code !== undefined);
      process.signalGroup(signal);
      const code = await process.ended();
      await until('its record store to end', async () => processesOf(dataDir).length === 0);
      expect([leftIn(dataDir), asideOf(dataDir)]).toEqual([[], []]);
      return { code, process, config: settingsOf(dataDir) };
    }

    it.each<[args: (file: string) => string[], says: RegExp]>([
      [(file) => ['restore', file], /^The restore was interrupted before it replaced any record/],
      [(file) => ['restore', '--check', file], /^The check was interrupted/],
      [() => ['backup'], /^The backup was interrupted/],
    ])('ends before it replaced anything, and leaves no opened backup behind: %#', async (args, says) => {
      const isOpening = (dataDir: string) =>
        leftIn(dataDir).some((name) => name.startsWith('otp-guard-opening-'));
      const { code, process, config } = await runInterrupted(args(older), isOpening);
      expect([code, process.stdout, process.said]).toEqual([1, '', [expect.stringMatching(says)]]);
      expect(await overStore(config, describeStore)).toEqual(CHANGED);
    });

    it('replaces the records to the end, and compares them with GitHub, before it ends', async () => {
      const isReplacing = (dataDir: string) => readRestoreMarker(dataDir).isRestoring;
      const signals: NodeJS.Signals[] = ['SIGINT', ...inSoak('SIGTERM' as const, 'SIGHUP' as const)];
      for (const signal of signals) {
        const { code, process, config } = await runInterrupted(['restore', older], isReplacing, signal);
        expect([code, process.said]).toEqual([
          0,
          [expect.stringMatching(/^The records are being replaced\. The restore ends once every check/)],
        ]);
        expect(JSON.parse(process.stdout)).toMatchObject({ restored: true, compared: true });
        expect(await overStore(config, describeStore)).toMatchObject({
          approvals: 1,
          refusedCodes: 1,
          keys: 2,
        });
      }
    });
  });

  it('is finished by another restore, too, even if the store lost its files, and keeps the signing keys', async () => {
    const { dataDir, config } = await interrupt('SIGKILL', 'seen');
    // As PocketBase leaves it if it dies in the middle of moving them.
    const data = join(dataDir, 'pocketbase', 'data');
    mkdirSync(join(data, '.pb_temp_to_delete'));
    for (const name of readdirSync(data).filter((one) => one.includes('.db')))
      renameSync(join(data, name), join(data, '.pb_temp_to_delete', name));
    await expect(startStore(config, silent)).rejects.toThrow(/data\.db is missing\. Restore a backup/);
    await restore(config, older);
    expect(() => requireNoRestore(dataDir)).not.toThrow();
    expect(await overStore(config, describeStore)).toEqual(RESTORED);
  });
});

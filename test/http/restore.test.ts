import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { checkBackup } from '../../src/cli/check-backup.ts';
import { replaceRecords } from '../../src/cli/replace-records.ts';
import { describeBackup, openInTemporaryStore } from '../../src/cli/try-restore.ts';
import { logRestore } from '../../src/organizations/log-restore.ts';
import { writeBackup } from '../../src/pocketbase/backups/write-backup.ts';
import { createStoreClient } from '../../src/pocketbase/client.ts';
import { markRestore } from '../../src/pocketbase/process/restore-marker.ts';
import { findOrStartStore } from '../../src/pocketbase/process/start-store.ts';
import { upsertSuperuser } from '../../src/pocketbase/process/superuser.ts';
import { createMemberships } from '../../src/pocketbase/records/memberships.ts';
import { createOrganizations } from '../../src/pocketbase/records/organizations.ts';
import { createRestores } from '../../src/pocketbase/records/restores.ts';
import { SCHEMA_VERSION } from '../../src/pocketbase/schema/schema.ts';
import { DamagedStore } from '../../src/start-error.ts';
import { activityLogOf, signingKeysOf } from '../support/activity-log.ts';
import { SECRET_KEY, silent, startEmptyStore, superuserOf } from '../support/empty-store.ts';
import { anInstallation } from '../support/fakes.ts';
import { processesOf } from '../support/process-list.ts';
import { recordSeals } from '../support/record-seals.ts';
import {
  asideOf,
  backUp,
  DAMAGE,
  damage,
  databaseOf,
  decrypted,
  leftIn,
  OTHER_KEY,
  overStore,
  removeScratches,
  type Settings,
  scratch,
  settingsOf,
  storeApproval,
  storeEntry,
  written,
} from '../support/stored.ts';

type Entry = { created: string; data: { backup?: string } };
const BACKED_UP = expect.stringMatching(/^\d{4}-.*Z$/);

/** A stopped store, and a backup of it. */
let stopped: string;
let backup: string;
let genuine: string;

beforeAll(async () => {
  stopped = scratch();
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

/** What `otp-guard restore` does before it compares with GitHub. Returns what it warned of. */
async function restore(config: Settings, path: string, sealRecords = false) {
  const warned: { msg: string; ignored?: number; counted?: number }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warned.push(JSON.parse(line)) });
  const store = await checkBackup(config, log, { path, sealRecords });
  try {
    await replaceRecords({ config, log, store, client: createStoreClient(store.address) });
  } finally {
    await store.stop();
  }
  return warned;
}

describe('a restore drill', () => {
  async function drill(config: Settings, path: string): Promise<object> {
    const store = await openInTemporaryStore(config, silent, { path, sealRecords: false });
    const client = createStoreClient(store.address);
    return describeBackup({ config, client, log: silent, store }).finally(store.stop);
  }

  it('says what a backup holds and how old it is, and changes nothing', async () => {
    const dataDir = copyOfStopped();
    const before = readFileSync(databaseOf(dataDir));
    const file = join(scratch(), 'state.zip.age');
    const config = settingsOf(dataDir);
    await overStore(config, async ({ client }) => {
      await storeEntry(client);
      await writeBackup({ config, client }, { path: file, now: new Date() });
    });
    const empty = scratch();
    expect(await drill(settingsOf(empty), file)).toEqual({
      ...{ restorable: true, schema: SCHEMA_VERSION, newest: BACKED_UP, ageHours: 0, ignored: 0 },
      ...{ organizations: 2, people: 0, passkeysAndKeys: 0, oneTimeCodes: 0, approvals: 1, logEntries: 1 },
    });
    expect(readdirSync(empty)).toEqual([]);
    cpSync(join(stopped, 'pocketbase'), join(dataDir, 'pocketbase'), { recursive: true });
    await drill(config, backup);
    expect([readFileSync(databaseOf(dataDir)).equals(before), leftIn(dataDir)]).toEqual([true, []]);
  });

  it('refuses a backup for another key, and one whose log somebody changed', async () => {
    const other = { SECRET_KEY: OTHER_KEY };
    await expect(drill(settingsOf(scratch(), other), backup)).rejects.toThrow(/encrypted for another key/);
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

  it('is not replaced with an empty one by any command', async () => {
    await expect(findOrStartStore(settingsOf(dataDir), silent)).rejects.toBeInstanceOf(DamagedStore);
    expect(processesOf(dataDir)).toEqual([]);
  });

  it('stays where it is if a restore is given what is no backup', async () => {
    const file = written(`PK\u0003\u0004${'x'.repeat(9_999)}`);
    await expect(restore(settingsOf(dataDir), file)).rejects.toThrow(/is not a backup\.$/);
    expect(readFileSync(databaseOf(dataDir), 'utf8')).toBe(DAMAGE);
    expect([asideOf(dataDir), leftIn(dataDir)]).toEqual([[], []]);
  });

  it('stays where it is if SECRET_KEY has sealed neither its records nor those of the backup', async () => {
    const plain = await decrypted(backup);
    const wrong = settingsOf(dataDir, { SECRET_KEY: OTHER_KEY });
    await expect(restore(wrong, plain)).rejects.toThrow(/^SECRET_KEY is not the key/);
    // On a machine whose store began with this key.
    const folder = scratch();
    cpSync(join(dataDir, 'pocketbase'), join(folder, 'pocketbase'), { recursive: true });
    await expect(restore(settingsOf(folder, { SECRET_KEY: OTHER_KEY }), plain)).rejects.toThrow(
      /^None of the records of this backup would count: .* Put the SECRET_KEY that the backup was made with behind/,
    );
    for (const one of [dataDir, folder]) expect(readFileSync(databaseOf(one), 'utf8')).toBe(DAMAGE);
    expect(readdirSync(folder)).toEqual(['pocketbase']);
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
    store = await startEmptyStore();
    await overStore(external(), async ({ client }) => {
      await storeApproval(external(), client);
      await storeEntry(client);
    });
  });
  afterAll(() => store?.stop());

  it('no backup is made with a key that has sealed none of its records', async () => {
    const config = external({ SECRET_KEY: OTHER_KEY });
    const path = join(scratch(), 'wrong.zip.age');
    await expect(backUp(config, path)).rejects.toThrow(
      /^SECRET_KEY is not the key that the records were sealed with\./,
    );
    expect(existsSync(path)).toBe(false);
  });

  it('a restore brings the records back, warns of forged ones, and leaves no other superuser', async () => {
    const approvals = store.records.collection('approvals');
    const superusers = store.records.collection('_superusers');
    const { mac } = await approvals.getOne(genuine);
    for (const [pr, forged] of [mac, ''].entries())
      await approvals.create({ repo_id: 1, pr, head: 'bb', method: 'totp', mac: forged });
    const former = { email: 'former@acme.test', password: 'password-of-former' };
    const { id } = await superusers.create({ ...former, passwordConfirm: former.password });
    const path = join(scratch(), 'external.zip.age');
    const config = external();
    await backUp(config, path);
    await superusers.delete(id);
    await approvals.delete(genuine);
    const keys = signingKeysOf(createStoreClient(store));
    const { id: newest } = await keys.rotate();

    const [warning, ...more] = await restore(config, path);
    expect([warning, more]).toMatchObject([{ counted: 2, ignored: 2 }, []]);
    expect(warning?.msg).toContain('If none did, somebody changed the backup');
    await superusers.authWithPassword(store.email, store.password);
    // The key that is newer than the backup goes on signing, and what it signed can be verified.
    expect([(await keys.published()).length, (await keys.current()).id]).toEqual([2, newest]);
    const rows = await approvals.getFullList<{ id: string }>();
    const ours = rows.filter((row) => recordSeals().isOurs('approvals', row));
    expect([rows.length, ours.map(({ id }) => id)]).toEqual([3, [genuine]]);
    expect(await superusers.getFullList()).toMatchObject([{ email: store.email }]);
    // The log of an organization goes on where the backup ends, and says so; an empty one stays empty.
    const entries = store.records.collection('gh_activities');
    const [first, second, ...none] = await entries.getFullList<Entry>({ sort: 'entry_number' });
    const restored = { activity: 'restore', entry_number: 2, data: { org: 'octo-org', backup: BACKED_UP } };
    expect([second, none]).toMatchObject([restored, []]);
    const backupAt = new Date(String(second?.data.backup));
    expect(backupAt.getTime()).toBeGreaterThanOrEqual(Date.parse(first?.created ?? ''));
    const client = createStoreClient(store);
    const again = {
      restores: createRestores(client, activityLogOf(client)),
      memberships: createMemberships(client),
    };
    await logRestore({ ...again, onUnlogged: () => undefined }, backupAt);
    expect(await entries.getFullList()).toHaveLength(2);
  });

  it('a backup from before records had MACs is restored if the operator trusts it', async () => {
    await store.records.collections.truncate('schema_versions');
    await store.records.collection('schema_versions').create({ version: 4 });
    const approvals = store.records.collection('approvals');
    await approvals.update(genuine, { mac: '' });
    const path = join(scratch(), 'before-macs.zip.age');
    await backUp(external(), path);
    await restore(external(), path, true);
    await store.records.collection('_superusers').authWithPassword(store.email, store.password);
    expect(recordSeals().isOurs('approvals', await approvals.getOne(genuine))).toBe(true);
  });
});

describe('the product’s own session at its store', () => {
  it('begins again after a restore, even if the store shows a guest empty lists instead of refusing', async () => {
    const dataDir = copyOfStopped();
    await overStore(settingsOf(dataDir), async ({ address }) => {
      const client = createStoreClient(address, { dataDir });
      await createOrganizations(client, activityLogOf(client)).save(anInstallation());
      // As a restore does, and as a day does: the session of before serves no more.
      await markRestore(dataDir, async () => {
        await upsertSuperuser(dataDir, address);
        await expect(createOrganizations(client, activityLogOf(client)).byOrgId(9)).rejects.toMatchObject({
          code: 'storeUnavailable',
        });
      });
      expect(await createOrganizations(client, activityLogOf(client)).byOrgId(9)).toMatchObject({
        name: 'octo-org',
      });
    });
  });
});

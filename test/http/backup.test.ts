import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import PocketBase from 'pocketbase';
import { openEncrypted } from '../../src/adapters/pocketbase/backups/age-file.ts';
import { DAILY, fileName } from '../../src/adapters/pocketbase/backups/backup-folder.ts';
import { deriveIdentity } from '../../src/adapters/pocketbase/backups/backup-identity.ts';
import {
  createBackupTurns,
  createDailyBackups,
} from '../../src/adapters/pocketbase/backups/daily-backups.ts';
import { unpack } from '../../src/adapters/pocketbase/backups/open-archive.ts';
import { openBackup } from '../../src/adapters/pocketbase/backups/open-backup.ts';
import { writeBackup } from '../../src/adapters/pocketbase/backups/write-backup.ts';
import { createStoreClient, type StoreClient } from '../../src/adapters/pocketbase/client.ts';
import { type Store, startStore } from '../../src/adapters/pocketbase/process/start-store.ts';
import { StartError } from '../../src/shared/app-error.ts';
import {
  backupFolderOf,
  backupsIn,
  databaseOf,
  decrypted,
  leftIn,
  OTHER_KEY,
  overStore,
  removeScratches,
  scratch,
  scratchWithStore,
  settingsOf,
  storeApproval,
  written,
} from '../support/stored.ts';
import { SECRET_KEY, silent, superuserOf } from '../support/stores.ts';

const LEFT = 'otp_guard_20260101000000000.zip';
const CLIENT_SECRET = 'the-client-secret-of-the-app';

let dataDir: string;
/** The store's folder while no store ran over it. */
let stopped: string;
let store: Store;
let client: StoreClient;
let backup: string;

const settings = (env: Record<string, string> = {}) => {
  const config = settingsOf(dataDir, env);
  return { ...config, github: { ...config.github, clientSecret: CLIENT_SECRET } };
};
const backUp = (path: string, env: Record<string, string> = {}) =>
  writeBackup({ config: settings(env), client }, { path, now: new Date() });

beforeAll(async () => {
  dataDir = scratchWithStore();
  await overStore(settings(), async ({ client }) => {
    await storeApproval(settings(), client);
    const mona = { github_id: 1, username: 'mona', password: 'never-used', passwordConfirm: 'never-used' };
    await client.run((records) => records.collection('gh_users').create(mona));
  });
  stopped = scratch();
  cpSync(dataDir, stopped, { recursive: true });
  store = await startStore(settings(), silent);
  client = createStoreClient(store.address);
  backup = join(scratch(), 'made', 'state.zip.age');
});
afterAll(async () => {
  await store?.stop();
  removeScratches();
});

/** A data folder that a person unpacked a backup into, who also has its key. */
async function unpacked(file: string): Promise<string> {
  const dataDir = scratch();
  const backups = backupFolderOf(dataDir);
  mkdirSync(backups, { recursive: true });
  const plain = await openEncrypted(file, [deriveIdentity(SECRET_KEY)]);
  writeFileSync(join(backups, 'read.zip'), await buffer(plain));
  await unpack(dataDir, 'read.zip');
  rmSync(backups, { recursive: true });
  return dataDir;
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)));

/** A session of mona's, made by a record store over this data. */
const mintedFrom = (folder: string) =>
  overStore(settingsOf(folder), async ({ address }) => {
    const records = await superuserOf(address);
    const { id } = await records.collection('gh_users').getFirstListItem('username = "mona"');
    return (await records.collection('gh_users').impersonate(id, 3600)).authStore.token;
  });

/** Whether the running store takes this session. */
async function takes(token: string): Promise<boolean> {
  const visitor = new PocketBase(store.address.url);
  visitor.authStore.save(token, null);
  return (await visitor.collection('gh_users').getFullList()).length === 1;
}

describe('a backup', () => {
  it('is readable to its owner alone, leaves no copy in the store and replaces no file', async () => {
    // An earlier backup whose process was killed in the middle.
    const left = [join(dataDir, 'otp-guard-opening-x', 'data.db'), join(backupFolderOf(dataDir), LEFT)];
    for (const path of left) cpSync(join(dataDir, 'running.json'), path, { recursive: true });
    expect(await backUp(backup)).toEqual({ backedUp: true, file: backup, bytes: statSync(backup).size });
    expect(statSync(backup).size).toBeGreaterThan(10_000);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(backup, '..'))).toEqual(['state.zip.age']);
    expect([backupsIn(dataDir), leftIn(dataDir)]).toEqual([[], []]);

    const before = readFileSync(backup);
    await expect(backUp(backup)).rejects.toThrow(`${backup} already exists. Choose another file.`);
    expect(readFileSync(backup).equals(before)).toBe(true);
  });

  it('is made automatically once a day, by one of two processes over the store, and again if that failed', async () => {
    const folder = join(scratch(), 'backups');
    const broken = join(scratch(), 'a-file');
    writeFileSync(broken, '');
    const failed: unknown[] = [];
    let at = Date.now();
    const clock = { now: () => new Date(at) };
    const aProcess = (into: string) => {
      const own = createStoreClient(store.address, { clock });
      const write = (path: string, now: Date) =>
        writeBackup({ config: settings(), client: own }, { path, now });
      const onFailed = (error: unknown) => void failed.push(error);
      const turns = createBackupTurns(own);
      return createDailyBackups({ folder: into, turns, write, clock, onMade: () => undefined, onFailed });
    };
    await aProcess(broken).round();
    expect([failed.length, await aProcess(folder).lastMade()]).toEqual([1, null]);
    at += 60 * 60 * 1000;
    await Promise.all([aProcess(folder), aProcess(folder)].map((one) => one.round()));
    await aProcess(folder).round();
    expect([failed.length, await aProcess(folder).lastMade()]).toEqual([1, new Date(at)]);
    const [made = '', ...others] = readdirSync(folder);
    expect([made, others]).toEqual([fileName(DAILY, new Date(at)), []]);
    expect(statSync(join(folder, made)).mode & 0o777).toBe(0o600);
    expect(await open(join(folder, made))).toEqual([]);
  });

  it('is not made with a SECRET_KEY that would open it alone, and not the records in it', async () => {
    const path = join(scratch(), 'wrong.zip.age');
    await expect(backUp(path, { SECRET_KEY: OTHER_KEY })).rejects.toThrow(
      /^SECRET_KEY is not the key that the records were sealed with\./,
    );
    expect(existsSync(path)).toBe(false);
  });

  it('holds no secret of the running store, and no session made with it is taken', async () => {
    const live = readFileSync(databaseOf(dataDir), 'latin1');
    const tokenSecrets = [...live.matchAll(/Token":\{[^}]*"secret":"([^"]+)"/g)].map(
      ([, secret = '']) => secret,
    );
    expect(tokenSecrets.length).toBeGreaterThanOrEqual(10);
    expect(live).toContain(CLIENT_SECRET);
    const secrets = [...tokenSecrets, CLIENT_SECRET, store.address.password, SECRET_KEY];
    const reader = await unpacked(backup);
    for (const bytes of [readFileSync(backup), ...filesIn(join(reader, 'pocketbase', 'data'))])
      expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([]);

    // A copy of the data folder shows that the attack works without what a backup does.
    expect([await takes(await mintedFrom(stopped)), await takes(await mintedFrom(reader))]).toEqual([
      true,
      false,
    ]);
  });
});

/** Opens a file as a restore does, and returns what it warned of. */
async function open(path: string, secretKey = SECRET_KEY): Promise<string[]> {
  const warned: string[] = [];
  const readIdentities = () => [deriveIdentity(secretKey)];
  const onPlain = () => void warned.push('not encrypted');
  const { remove } = await openBackup({ path, readIdentities, folder: dataDir, onPlain });
  await remove();
  return warned;
}

const backupBytes = () => readFileSync(backup);
const flipped = (bytes: Buffer, position: number) => {
  bytes.writeUInt8(bytes.readUInt8(position) ^ 1, position);
  return bytes;
};

describe('the file that a restore is given', () => {
  it.each<[string, () => string | Promise<string>, RegExp]>([
    ['is not there', () => join(scratch(), 'nowhere.zip'), /nowhere\.zip cannot be read\.$/],
    ['is garbage', () => written('this is no backup '.repeat(99)), /is damaged or is not a backup/],
    [
      'is the first half of an archive',
      async () => written(readFileSync(await decrypted(backup)).subarray(0, 20_000)),
      /is damaged or is not a backup/,
    ],
    ['has lost its last byte', () => written(backupBytes().subarray(0, -1)), /is damaged/],
    [
      'was changed in its header',
      () => written(flipped(backupBytes(), 130)),
      /is damaged|encrypted for another key/,
    ],
    [
      'is an archive with damaged data',
      async () => written(flipped(readFileSync(await decrypted(backup)), 20_000)),
      /some\.zip is damaged or is not a backup: the record store does not start from it\./,
    ],
  ])('is refused if it %s', async (_what, file, says) => {
    const refused = open(await file());
    await expect(refused).rejects.toThrow(says);
    await expect(refused).rejects.toBeInstanceOf(StartError);
    expect(leftIn(dataDir)).toEqual([]);
  });

  it('is refused if it is encrypted for another key', async () => {
    await expect(open(backup, OTHER_KEY)).rejects.toThrow(
      /is encrypted for another key\. Put the SECRET_KEY that it was made with behind/,
    );
  });

  it('is taken with a warning if it is not encrypted', async () => {
    expect(await open(await decrypted(backup))).toEqual(['not encrypted']);
  });
});

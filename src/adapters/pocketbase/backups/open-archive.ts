import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdtempSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StoreConfig } from '../../../settings/config.ts';
import { runStoreCommand, SUPERUSER, type Superuser } from '../process/commands.ts';
import { storeFolder } from '../process/data-folder.ts';
import { tryLock } from '../process/folder-lock.ts';
import { removeAtExit, removeTemporaryStores } from '../process/leftovers.ts';

/** What an archive contains, as the data of a temporary store. */
export type OpenedArchive = {
  dataDir: string;
  /**
   * Packs the records into a new archive, and returns its path. A store may be running over them.
   *
   * @param superuser The archive's only superuser; by default one whose password nobody knows.
   */
  pack(name: string, superuser?: Superuser): Promise<string>;
  remove(): Promise<void>;
};

const SOURCE = 'otp_guard_source.zip';

/**
 * Opens an archive of a record store in a temporary one, and removes everything from it that could be used against a
 * running store. So the archive is known to open, and the database in it to be intact.
 *
 * @param folder Where the temporary store is, with room for about three times the data.
 * @throws Any error of `source`, and Error if no store starts from it: PocketBase refuses an incomplete archive.
 */
export async function openArchive(source: Readable, folder: string): Promise<OpenedArchive> {
  const { dataDir, backups, remove } = await createTemporaryStore(folder);
  try {
    const received = join(backups, SOURCE);
    await pipeline(source, createWriteStream(received, { mode: 0o600, flags: 'wx' }));
    await unpack(dataDir, SOURCE);
    await rm(received);
    await runStoreCommand(dataDir, { name: 'otp-guard-clean', script: CLEAN, input: {} });
    const unknown = { email: SUPERUSER, password: randomBytes(24).toString('hex') };
    return {
      dataDir,
      async pack(name, { email, password } = unknown) {
        const input = { name, email, password };
        await runStoreCommand(dataDir, { name: 'otp-guard-pack', script: PACK, input });
        return join(backups, name);
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The folder for a temporary store: next to the data, which is protected like an unencrypted backup has to be. */
export const temporaryFolder = (store: StoreConfig) => (store.kind === 'embedded' ? store.dataDir : tmpdir());

/**
 * Creates the folder of a temporary record store in `parent`, readable by its
 * owner only. It gets its name once it's locked, so that no other process removes it. It's gone after `remove`, and when
 * this process exits.
 */
export async function createTemporaryStore(parent: string) {
  await removeTemporaryStores(parent);
  // In one turn, so that no exit comes between.
  const draft = mkdtempSync(join(parent, 'opening-'));
  const dataDir = join(parent, `otp-guard-${basename(draft)}`);
  const removeNow = () => {
    for (const folder of [draft, dataDir]) removeAtExit(folder);
  };
  process.once('exit', removeNow);
  const lock = tryLock(draft, 'store');
  await rename(draft, dataDir);
  const backups = join(storeFolder(dataDir), 'data', 'backups');
  await mkdir(backups, { recursive: true, mode: 0o700 });
  const remove = async () => {
    await rm(dataDir, { recursive: true, force: true }).finally(lock?.release);
    process.off('exit', removeNow);
  };
  return { dataDir, backups, remove };
}

/** Runs in PocketBase. */
const UNPACK = `
  const hasUnpacked = () => { try { return $os.stat(__hooks + '/unpacked') !== null; } catch { return false; } };
  if (hasUnpacked()) return;
  $os.writeFile(__hooks + '/unpacked', '', 0o600);
  // PocketBase ends here, and starts this command again over what it unpacked.
  $app.restoreBackup(new Context(), input.name);
`;

/**
 * Runs in PocketBase, and fails if a database is damaged, even in a place that the store doesn't read at its start. It
 * removes what could be used against a running store: sessions, GitHub's client secret, all superusers and PocketBase's
 * own settings, which hold passwords. `migrate` sets that secret and our settings again.
 */
const CLEAN = `
  const databases = [$app.nonconcurrentDB(), $app.auxNonconcurrentDB()];
  const run = (db, sql) => db.newQuery(sql).execute();
  for (const db of databases) {
    const check = new DynamicModel({ quick_check: '' });
    db.newQuery('PRAGMA quick_check(1)').one(check);
    if (check.quick_check !== 'ok') throw new Error('the database is malformed');
  }
  const tokens = ['authToken', 'passwordResetToken', 'emailChangeToken', 'verificationToken', 'fileToken'];
  for (const collection of $app.findAllCollections('auth')) {
    for (const token of tokens) collection[token].secret = $security.randomString(50);
    collection.oauth2.enabled = false;
    collection.oauth2.providers = [];
    $app.save(collection);
    run($app.db(), 'UPDATE {{' + collection.name + '}} SET tokenKey = lower(hex(randomblob(25)))');
  }
  for (const table of ['_superusers', '_mfas', '_otps', '_authOrigins'])
    run($app.db(), 'DELETE FROM {{' + table + '}}');
  run($app.db(), "DELETE FROM {{_params}} WHERE id = 'settings'");
  run($app.auxDB(), 'DELETE FROM {{_logs}}');
  $app.reloadSettings();
  // SQLite leaves deleted values in free pages and in its write-ahead log.
  $app.vacuum();
  $app.auxVacuum();
  for (const db of databases) run(db, 'PRAGMA wal_checkpoint(TRUNCATE)');
`;

/** Runs in PocketBase, which prints a link that makes everybody a superuser if there is none. */
const PACK = `
  $app.db().newQuery('DELETE FROM {{_superusers}}').execute();
  const superuser = new Record($app.findCollectionByNameOrId('_superusers'));
  superuser.setEmail(input.email);
  superuser.setPassword(input.password);
  $app.save(superuser);
  $app.createBackup(new Context(), input.name);
`;

/**
 * Replaces the stopped record store in `dataDir` with the archive `name` of its
 * own backup folder.
 *
 * @throws Error if the store doesn't start from the archive.
 */
export async function unpack(dataDir: string, name: string): Promise<void> {
  await runStoreCommand(dataDir, { name: 'otp-guard-unpack', script: UNPACK, input: { name } });
}

import { randomBytes } from 'node:crypto';
import { runStoreCommand } from '../process/commands.ts';
import { SUPERUSER } from '../process/start-embedded-store.ts';
import type { Superuser } from '../process/superuser.ts';

/** Runs in PocketBase. */
const UNPACK = `
  const hasUnpacked = () => { try { return $os.stat(__hooks + '/unpacked') !== null; } catch { return false; } };
  if (hasUnpacked()) return;
  $os.writeFile(__hooks + '/unpacked', '', 0o600);
  // PocketBase ends here, and starts this command again over what it unpacked.
  $app.restoreBackup(new Context(), input.name);
`;

/** Runs in PocketBase. Its settings hold passwords of mail servers and S3. */
const CLEAN_AND_PACK = `
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
  const superuser = new Record($app.findCollectionByNameOrId('_superusers'));
  superuser.setEmail(input.email);
  superuser.setPassword(input.password);
  $app.save(superuser);
  // SQLite leaves deleted values in free pages and in its write-ahead log.
  $app.vacuum();
  $app.auxVacuum();
  for (const db of databases) run(db, 'PRAGMA wal_checkpoint(TRUNCATE)');
  $app.createBackup(new Context(), input.name);
`;

/**
 * Replaces the stopped record store in `dataDir` with the archive `name` of its
 * own backup folder.
 *
 * @throws Error if the store doesn't start from the archive.
 */
export async function unpack(dataDir: string, name: string, binary?: string): Promise<void> {
  await runStoreCommand(dataDir, { name: 'otp-guard-unpack', script: UNPACK, input: { name } }, binary);
}

/**
 * Removes from the stopped record store in `dataDir` what could be used against
 * a running one, and packs it as the archive `name` in its own backup folder:
 * every session ends, GitHub's client secret, all superusers and PocketBase's
 * own settings are gone. `migrate` sets that secret and our settings again.
 *
 * @param options.superuser The archive's only superuser; by default one whose password nobody knows. Without any,
 *   PocketBase prints a link that makes everybody one.
 * @param options.binary The record store's binary, if it was verified already.
 * @throws Error if a database is damaged, even in a place that the store doesn't read at its start.
 */
export async function cleanAndPack(
  dataDir: string,
  name: string,
  { superuser, binary }: { superuser?: Superuser | undefined; binary?: string } = {},
): Promise<void> {
  const { email, password } = superuser ?? { email: SUPERUSER, password: randomBytes(24).toString('hex') };
  const input = { name, email, password };
  await runStoreCommand(dataDir, { name: 'otp-guard-pack', script: CLEAN_AND_PACK, input }, binary);
}

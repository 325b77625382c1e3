import { createReadStream, existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type PocketBase from 'pocketbase';
import type { Config, GitHubConfig } from '../../../settings/config.ts';
import { StartError } from '../../../shared/app-error.ts';
import { createSecretKeys, secretKeys } from '../../../shared/secret-key.ts';
import { readSigningKeys } from '../audit/signing-keys.ts';
import { ignoreMissing, type StoreClient } from '../client.ts';
import { type Applied, migrate, readSchemaVersion } from '../migrate.ts';
import { SCHEMA, type Schema } from '../schema.ts';
import { BEFORE_UPGRADE, backupName, fileName, isLeftover, tidyFolder } from './backup-folder.ts';
import { backupRecipient } from './backup-identity.ts';
import { type OpenedArchive, openArchive, temporaryFolder } from './open-archive.ts';

/**
 * Writes an encrypted snapshot of the record store to a new file, readable by its owner only. The store keeps working in
 * the meantime. The snapshot was opened once, and holds nothing that could be used against the running store.
 *
 * @throws StartError if the file exists, or if `SECRET_KEY` isn't the key of the records: only that wrong key would
 *   open the backup.
 */
export async function writeBackup(
  { config, client }: { config: Config; client: StoreClient },
  { path, now }: { path: string; now: Date },
): Promise<object> {
  await readSigningKeys(client, createSecretKeys(config));
  const recipient = await backupRecipient(secretKeys(config)[0]);
  const folder = temporaryFolder(config.store);
  await mkdir(dirname(path), { recursive: true });
  if (existsSync(path)) throw new StartError(`${path} already exists. Choose another file.`);
  const name = backupName(now);
  const archive = await client.run((records) => snapshot(records, name, { folder, now }));
  try {
    const packed = await archive.pack(name);
    // Loaded when it's needed, because age's package is large, and before there is a stream that could fail.
    const { writeEncrypted } = await import('./age-file.ts');
    await writeEncrypted(createReadStream(packed), path, recipient);
    return { backedUp: true, file: path, bytes: (await stat(path)).size };
  } finally {
    await archive.remove();
  }
}

/**
 * The store's own copy isn't encrypted, so it's removed immediately, and so are copies whose process died before that.
 */
async function snapshot(
  records: PocketBase,
  name: string,
  { folder, now }: { folder: string; now: Date },
): Promise<OpenedArchive> {
  const kept = await records.backups.getFullList();
  for (const { key } of kept.filter(({ key }) => isLeftover(key, now)))
    await records.backups.delete(key).catch(ignoreMissing);
  await records.backups.create(name);
  try {
    return await openArchive(await download(records, name), folder);
  } finally {
    await records.backups.delete(name).catch(ignoreMissing);
  }
}

async function download(records: PocketBase, name: string): Promise<Readable> {
  const token = await records.files.getToken();
  const answer = await fetch(records.backups.getDownloadURL(token, name));
  if (!answer.ok || !answer.body) throw new Error(`the record store answered ${answer.status}`);
  return Readable.fromWeb(answer.body as never);
}

/**
 * Like `migrate`, but writes a backup first if the store has an older schema and backups are on. Nothing is changed
 * before the backup is whole.
 *
 * @throws StartError with one sentence if the backup or the migration fails, or if `SECRET_KEY` isn't the key of the
 *   records.
 */
export async function upgradeStore(
  client: StoreClient,
  config: Config,
  github: GitHubConfig,
  schema: Schema = SCHEMA,
): Promise<Applied | null> {
  await backUpFirst(client, config, schema.version);
  return migrate(client, config, github, schema);
}

async function backUpFirst(client: StoreClient, config: Config, needed: number): Promise<void> {
  // `migrate` says why a store can't be read, or is too new.
  const found = await readSchemaVersion(client).catch(() => 0);
  if (found === 0 || found > needed) return;
  await readSigningKeys(client, createSecretKeys(config));
  const { folder } = config.backup;
  if (folder === null || found === needed) return;
  const now = client.clock.now();
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // First, so that a disk that is full of old ones has room again.
    await tidyFolder(folder, BEFORE_UPGRADE, now);
    await writeBackup({ config, client }, { path: join(folder, fileName(BEFORE_UPGRADE, now)), now });
    await tidyFolder(folder, BEFORE_UPGRADE, now);
  } catch (error) {
    const reason = (error as Error).message.replace(/\.$/, '');
    throw new StartError(
      `The record store has schema ${found} and needs ${needed}, but the backup before that failed: ${reason}. Repair that, or set BACKUP_DIR=off once to continue without a backup.`,
      { cause: error },
    );
  }
}

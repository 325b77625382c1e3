import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config, GitHubConfig } from '../../../settings/config.ts';
import { StartError } from '../../../shared/start-error.ts';
import type { StoreClient } from '../client.ts';
import { type Applied, migrate, readSchemaVersion } from '../schema/migrate.ts';
import { SCHEMA, type Schema } from '../schema/schema.ts';
import { BEFORE_UPGRADE, fileName, tidyFolder } from './backup-folder.ts';
import { writeBackup } from './write-backup.ts';

/**
 * Like `migrate`, but writes a backup first if the store has an older schema and backups are on. Nothing is changed
 * before the backup is whole.
 *
 * @throws StartError with one sentence if the backup or the migration fails.
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
  const { folder } = config.backup;
  if (folder === null) return;
  // `migrate` says why a store can't be read.
  const found = await readSchemaVersion(client).catch(() => 0);
  if (found === 0 || found >= needed) return;
  const now = client.clock.now();
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await tidyFolder(folder, BEFORE_UPGRADE, now);
    await writeBackup({ config, client }, { path: join(folder, fileName(BEFORE_UPGRADE, now)), now });
  } catch (error) {
    const reason = (error as Error).message.replace(/\.$/, '');
    throw new StartError(
      `The record store has schema ${found} and needs ${needed}, but the backup before that failed: ${reason}. Repair that, or set BACKUP_DIR=off once to go on without a backup.`,
      { cause: error },
    );
  }
}

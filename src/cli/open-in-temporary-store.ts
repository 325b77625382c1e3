import { mkdir } from 'node:fs/promises';
import { deriveIdentity } from '../adapters/pocketbase/backups/backup-identity.ts';
import { inspectArchive, requireRestorable } from '../adapters/pocketbase/backups/inspect-archive.ts';
import { type OpenedArchive, temporaryFolder } from '../adapters/pocketbase/backups/open-archive.ts';
import { openBackup } from '../adapters/pocketbase/backups/open-backup.ts';
import { createStoreClient } from '../adapters/pocketbase/client.ts';
import { type Store, startEmbeddedStore } from '../adapters/pocketbase/process/start-store.ts';
import type { Config } from '../settings/config.ts';
import type { Log } from '../shared/log-events.ts';
import { createSecretKeys, hasKeyFile, secretKeys } from '../shared/secret-key.ts';
import { UsageError } from './usage-error.ts';

/** A temporary store over a checked backup. `stop` also removes it. */
export type OpenedBackup = Store & {
  archive: OpenedArchive;
  /** The backup's newest schema. */
  schema: number;
  /** The number of the backup's records that won't count. */
  ignored: number;
  /** The time of the backup's newest record. */
  newest: Date | null;
};

const SOME_IGNORED =
  'some records of this backup do not count: no key in SECRET_KEY has sealed them. If another key did, put it behind the present one, restore again, and run otp-guard rotate-key. If none did, somebody changed the backup';

/**
 * Opens the backup in a temporary folder, starts a store over it, and checks it.
 *
 * @throws StartError with one sentence if the backup can't be opened or none of its records would count.
 */
export async function openInTemporaryStore(config: Config, log: Log, path: string): Promise<OpenedBackup> {
  const { store } = config;
  // A new key opens no backup, and would be in the way of the right one.
  if (store.kind === 'embedded' && config.secretKeys.length === 0 && !hasKeyFile(store.dataDir))
    throw new UsageError(
      `There is no key for this backup: put back ${store.dataDir}/secret.key, or set SECRET_KEY.`,
    );
  if (store.kind === 'embedded') await mkdir(store.dataDir, { recursive: true, mode: 0o700 });
  const archive = await openBackup({
    path,
    readIdentities: () => secretKeys(config).map(deriveIdentity),
    folder: temporaryFolder(store),
    onPlain: () =>
      log.warn(
        { event: 'backup_unencrypted' },
        'this backup is not encrypted; anyone who reads it can read all records',
      ),
  });
  let end = archive.remove;
  try {
    const { dataDir } = archive;
    const { stop, ...address } = await startEmbeddedStore({ dataDir, publicUrl: config.publicUrl, log });
    end = () => stop().finally(archive.remove);
    const content = await inspectArchive(createStoreClient(address), createSecretKeys(config));
    requireRestorable(content);
    const { newest, schema, verified: counted, foreign: ignored } = content;
    if (ignored > 0) log.warn({ event: 'backup_records_ignored', counted, ignored }, SOME_IGNORED);
    return { address, archive, schema, newest, ignored, stop: end };
  } catch (error) {
    await end();
    throw error;
  }
}

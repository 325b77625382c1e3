import { backupName } from '../adapters/pocketbase/backups/backup-folder.ts';
import { deriveIdentity } from '../adapters/pocketbase/backups/backup-identity.ts';
import { inspectArchive, requireRestorable } from '../adapters/pocketbase/backups/inspect-archive.ts';
import { type OpenedArchive, temporaryFolder } from '../adapters/pocketbase/backups/open-archive.ts';
import { openBackup } from '../adapters/pocketbase/backups/open-backup.ts';
import { findOrReplaceStore, type Store } from '../adapters/pocketbase/process/start-store.ts';
import { requireSealingKey } from '../adapters/pocketbase/schema/seal-marker.ts';
import type { Config } from '../settings/config.ts';
import type { Log } from '../shared/log-events.ts';
import { createSecretKeys, secretKeys } from '../shared/secret-key.ts';

/** A backup that a restore would take. */
export type CheckedBackup = {
  archive: OpenedArchive;
  /** Its newest schema. */
  schema: number;
  /** How many records of the backup won't count. */
  ignored: number;
  /** When the backup's newest record was created. */
  newest: Date | null;
};

/** The record store, and a checked backup to put into it. */
export type CheckedStore = Store & CheckedBackup;

const SOME_IGNORED =
  'some records of this backup do not count: no key in SECRET_KEY has sealed them. If another key did, put it behind the present one, restore again, and run otp-guard rotate-key. If none did, somebody changed the backup';

/**
 * Opens and checks the backup before anything is changed, then finds or starts
 * the store.
 *
 * @throws StartError with one sentence, as `openCheckedBackup` does.
 */
export async function checkBackup(config: Config, log: Log, path: string): Promise<CheckedStore> {
  const backup = await openCheckedBackup(config, log, path);
  try {
    const found = await findOrReplaceStore(config, log);
    const stop = () => Promise.all([found.stop(), backup.archive.remove()]);
    return { ...found, ...backup, stop: async () => void (await stop()) };
  } catch (error) {
    await backup.archive.remove();
    throw error;
  }
}

/**
 * Opens and checks a backup. Changes nothing.
 *
 * @throws StartError with one sentence if the backup can't be opened or none of its records would count, or if
 *   `SECRET_KEY` isn't the key of the present store.
 */
export async function openCheckedBackup(config: Config, log: Log, path: string): Promise<CheckedBackup> {
  const { store } = config;
  // `migrate` checks this too, but only after the records are replaced.
  requireSealingKey(config);
  const archive = await openBackup({
    path,
    readIdentities: () => secretKeys(config).map(deriveIdentity),
    folder: temporaryFolder(store),
    name: backupName(new Date()),
    // An external store's superuser is the one in the settings, also if it had another password at that time.
    superuser: store.kind === 'external' ? store : undefined,
    onPlain: () =>
      log.warn(
        { event: 'backup_unencrypted' },
        'this backup is not encrypted; anyone who reads it can read all records',
      ),
  });
  try {
    const content = await inspectArchive(archive, createSecretKeys(config));
    requireRestorable(content);
    const { newest, schema, verified: counted, foreign: ignored } = content;
    if (ignored > 0) log.warn({ event: 'backup_records_ignored', counted, ignored }, SOME_IGNORED);
    return { archive, schema, newest, ignored };
  } catch (error) {
    await archive.remove();
    throw error;
  }
}

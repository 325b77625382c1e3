import { mkdir } from 'node:fs/promises';
import { backupName } from '../adapters/pocketbase/backups/backup-folder.ts';
import { deriveIdentity } from '../adapters/pocketbase/backups/backup-identity.ts';
import { inspectArchive, requireRestorable } from '../adapters/pocketbase/backups/inspect-archive.ts';
import { type OpenedArchive, temporaryFolder } from '../adapters/pocketbase/backups/open-archive.ts';
import { openBackup } from '../adapters/pocketbase/backups/open-backup.ts';
import {
  findOrReplaceStore,
  type Store,
  startEmbeddedStore,
} from '../adapters/pocketbase/process/start-store.ts';
import type { Config } from '../settings/config.ts';
import type { Log } from '../shared/log-events.ts';
import { createSecretKeys, hasKeyFile, secretKeys } from '../shared/secret-key.ts';
import { sayWaiting } from './print.ts';
import { UsageError } from './usage-error.ts';

/** A record store, and a checked backup that a restore would take. `stop` also removes what was opened. */
export type CheckedStore = Store & {
  archive: OpenedArchive;
  /** The backup's newest schema. */
  schema: number;
  /** How many records of the backup won't count. */
  ignored: number;
  /** When the backup's newest record was created. */
  newest: Date | null;
};

const SOME_IGNORED =
  'some records of this backup do not count: no key in SECRET_KEY has sealed them. If another key did, put it behind the present one, restore again, and run otp-guard rotate-key. If none did, somebody changed the backup';

/**
 * Opens and checks the backup before anything is changed, then finds or starts the store that it's for.
 *
 * @param onReplace Called before a damaged store is put aside.
 */
export const checkBackup = (
  config: Config,
  log: Log,
  path: string,
  onReplace: () => void = () => undefined,
) =>
  openChecked({ config, log, path }, () =>
    findOrReplaceStore(config, log, { onWait: sayWaiting, onReplace }),
  );

/** Opens and checks the backup, and starts a store over it in a temporary folder. */
export const openInTemporaryStore = (config: Config, log: Log, path: string) =>
  openChecked({ config, log, path }, async ({ dataDir }) => {
    const { stop, ...address } = await startEmbeddedStore({ dataDir, publicUrl: config.publicUrl, log });
    return { address, stop };
  });

/**
 * @throws StartError with one sentence if the backup can't be opened or none of its records would count.
 */
async function openChecked(
  { config, log, path }: { config: Config; log: Log; path: string },
  openStore: (archive: OpenedArchive) => Promise<Store>,
): Promise<CheckedStore> {
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
    const content = await inspectArchive(archive, { keys: createSecretKeys(config), log });
    requireRestorable(content);
    const { newest, schema, verified: counted, foreign: ignored } = content;
    if (ignored > 0) log.warn({ event: 'backup_records_ignored', counted, ignored }, SOME_IGNORED);
    const { address, stop } = await openStore(archive);
    return { address, archive, schema, newest, ignored, stop: () => stop().finally(archive.remove) };
  } catch (error) {
    await archive.remove();
    throw error;
  }
}

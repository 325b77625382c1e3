import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { readSigningKeys } from '../adapters/pocketbase/audit/signing-keys.ts';
import { backupName } from '../adapters/pocketbase/backups/backup-folder.ts';
import type { OpenedArchive } from '../adapters/pocketbase/backups/open-archive.ts';
import {
  invalidateRestoredState,
  isRestored,
  markAsRestored,
  putBackSigningKeys,
  refuseUsedCodes,
  restoreBackup,
} from '../adapters/pocketbase/backups/restore-backup.ts';
import { createStoreClient, type StoreClient } from '../adapters/pocketbase/client.ts';
import { migrate } from '../adapters/pocketbase/migrate.ts';
import {
  type BegunRestore,
  endRestore,
  markRestore,
  type RestoreMarks,
  readBegunRestore,
} from '../adapters/pocketbase/process/restore-marker.ts';
import type { Store } from '../adapters/pocketbase/process/start-store.ts';
import { logRestore } from '../organizations/log-restore.ts';
import type { RegisteredConfig } from '../settings/config.ts';
import { StartError } from '../shared/app-error.ts';
import { systemClock } from '../shared/clock.ts';
import { createSecretKeys } from '../shared/secret-key.ts';
import { connectStore } from './connect-store.ts';
import { createOutcomeLog } from './outcome-log.ts';

const KEYS_LOST =
  'could not read the signing keys of the present store: what those signed that the backup lacks can no longer be verified';
const UNDONE =
  'a restore was interrupted before it replaced any record, so nothing was restored. Run otp-guard restore again';
const FINISHED = 'a restore was interrupted after it had replaced all records';
const UNLOGGED = 'restored; could not add that to the log of this organization';

type Restore = {
  config: RegisteredConfig;
  client: StoreClient;
  log: Logger;
  store: Store;
};

/** A store over a checked backup. */
type Backup = Pick<Store, 'address'> & { archive: OpenedArchive; newest: Date | null };

/**
 * Replaces the records with those of a checked backup, and ends what people had begun. If this process dies, all records
 * are replaced, or none.
 *
 * @throws StartError if `SECRET_KEY` isn't the key of the present records; nothing has changed then.
 */
export async function replaceRecords(restore: Restore, backup: Backup): Promise<void> {
  const { store } = restore.config;
  if (store.kind === 'external') {
    await replaceNow(restore, backup);
    // Other processes took codes until the store restarted.
    return refuseUsedCodes(restore.client, new Date());
  }
  await markRestore(store.dataDir, (marks) => replaceNow(restore, backup, marks));
}

async function replaceNow(restore: Restore, backup: Backup, marks?: RestoreMarks): Promise<void> {
  const { config, client, log, store } = restore;
  const signingKeys = await readSigningKeys(client, createSecretKeys(config)).catch((error: unknown) => {
    // A wrong SECRET_KEY. Another failure is no reason against a restore: the present store may be damaged.
    if (error instanceof StartError) throw error;
    log.warn({ event: 'signing_keys_lost', err: error }, KEYS_LOST);
    return [];
  });
  const begun: BegunRestore = {
    id: randomUUID(),
    signingKeys: [...signingKeys, ...(marks?.earlier?.signingKeys ?? [])],
  };
  await prepareBackup(restore, backup, begun);
  const name = backupName(new Date());
  await restoreBackup(client, {
    id: begun.id,
    name,
    // Everyone who uses the store continues to sign in as before.
    path: await backup.archive.pack(name, store.address),
    begin: () => marks?.begin(begun),
    undo: () => marks?.undo(),
  });
}

/** Makes the records of the backup what they have to be once they replace the others. */
async function prepareBackup(
  { config, log }: Pick<Restore, 'config' | 'log'>,
  backup: Backup,
  { id, signingKeys }: BegunRestore,
): Promise<void> {
  const client = createStoreClient(backup.address);
  await migrate(client, config, config.github);
  await putBackSigningKeys(client, signingKeys);
  const keys = createSecretKeys(config);
  // With a wrong SECRET_KEY nothing could be logged.
  await readSigningKeys(client, keys);
  await invalidateRestoredState(client, new Date());
  const stored = connectStore(
    keys,
    { client, clock: systemClock, outcomes: createOutcomeLog(log) },
    config.publicUrl,
  );
  await logRestore(
    {
      ...stored.audit,
      ...stored.organizations,
      onUnlogged: (error, { name }) =>
        log.error({ event: 'restore_unlogged', err: error, org: name }, UNLOGGED),
    },
    backup.newest,
  );
  await markAsRestored(client, id, new Date());
}

/**
 * Ends the mark of a restore of an embedded store that was interrupted, and logs whether it has replaced the records.
 *
 * @param deps.client A client that knows no folder, because a store in its folder can't be used until this ends.
 */
export async function endInterruptedRestore({ config, client, log }: Omit<Restore, 'store'>): Promise<void> {
  if (config.store.kind === 'external') return;
  const { dataDir } = config.store;
  const begun = readBegunRestore(dataDir);
  if (!begun) return;
  const isDone = await isRestored(client, begun.id);
  endRestore(dataDir);
  if (isDone) log.warn({ event: 'restore_finished' }, FINISHED);
  else log.warn({ event: 'restore_undone' }, UNDONE);
}

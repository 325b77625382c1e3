import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { readSigningKeys } from '../adapters/pocketbase/audit/signing-keys.ts';
import type { OpenedArchive } from '../adapters/pocketbase/backups/open-archive.ts';
import {
  invalidateRestoredState,
  putBackSigningKeys,
  restoreBackup,
} from '../adapters/pocketbase/backups/restore-backup.ts';
import type { StoreClient } from '../adapters/pocketbase/client.ts';
import { upsertSuperuser } from '../adapters/pocketbase/process/commands.ts';
import {
  type BegunRestore,
  endRestore,
  hasReplaced,
  markRestore,
  readBegunRestore,
} from '../adapters/pocketbase/process/restore-marker.ts';
import type { Store } from '../adapters/pocketbase/process/start-store.ts';
import { migrate } from '../adapters/pocketbase/schema/migrate.ts';
import { logRestore } from '../organizations/log-restore.ts';
import type { RegisteredConfig } from '../settings/config.ts';
import { StartError } from '../shared/app-error.ts';
import { systemClock } from '../shared/clock.ts';
import { createSecretKeys } from '../shared/secret-key.ts';
import { connectStore } from './connect-store.ts';
import { createOutcomeLog } from './outcome-log.ts';

const KEYS_LOST =
  'could not read the signing keys of the present store: what those signed that the backup lacks can no longer be verified';
const UNFINISHED =
  'A restore was interrupted, and finishing it failed. Start again, or restore again. The reason:';
const UNDONE =
  'a restore was interrupted before it replaced any record, so nothing was restored. Run otp-guard restore again';
const FINISHED = 'finished a restore that was interrupted';
const UNLOGGED = 'restored; could not add that to the log of this organization';

type Restore = {
  config: RegisteredConfig;
  client: StoreClient;
  log: Logger;
  /** The record store, and a checked backup to put into it. */
  store: Store & { archive: OpenedArchive; newest: Date | null };
};

/**
 * Replaces the records with those of a checked backup, and ends what people had begun.
 *
 * @throws StartError if `SECRET_KEY` isn't the key of the present records; nothing has changed then.
 */
export async function replaceRecords(restore: Restore): Promise<void> {
  const { store } = restore.config;
  if (store.kind === 'external') return replaceNow(restore);
  await markRestore(store.dataDir, (marks) => replaceNow(restore, marks));
}

async function replaceNow(
  { config, client, log, store }: Restore,
  marks?: Parameters<Parameters<typeof markRestore>[1]>[0],
): Promise<void> {
  const embedded = config.store.kind === 'embedded' ? config.store : null;
  const earlier = embedded && readBegunRestore(embedded.dataDir);
  const upsert = async () => {
    if (embedded) await upsertSuperuser(embedded.dataDir, store.address);
  };
  // A running store whose records were replaced doesn't know our superuser.
  if (earlier) await upsert();
  const keys = createSecretKeys(config);
  const signingKeys = await readSigningKeys(client, keys).catch((error: unknown) => {
    // A wrong SECRET_KEY. Another failure is no reason against a restore: the present store may be damaged.
    if (error instanceof StartError) throw error;
    log.warn({ event: 'signing_keys_lost', err: error }, KEYS_LOST);
    return [];
  });
  const begun: BegunRestore = {
    id: randomUUID(),
    backupAt: store.newest?.toISOString() ?? null,
    signingKeys: [...signingKeys, ...(earlier?.signingKeys ?? [])],
  };
  await restoreBackup(client, {
    path: store.archive.path,
    now: new Date(),
    begin: () => marks?.begin(begun),
    undo: () => marks?.undo(begun),
    hasReplaced: () => !embedded || hasReplaced(embedded.dataDir, begun),
    upsertSuperuser: upsert,
  });
  await finish({ config, client, log }, begun);
}

/**
 * Finishes a restore that was interrupted after it had replaced the records of an embedded store. Call it before
 * anything else uses that store.
 *
 * @param deps.client One that knows no folder, because a store in its folder can't be used until this ends.
 * @throws StartError with what to do. The restore is still unfinished then.
 */
export async function finishInterruptedRestore(deps: Omit<Restore, 'store'>): Promise<void> {
  const { config, log } = deps;
  if (config.store.kind === 'external') return;
  const { dataDir } = config.store;
  const begun = readBegunRestore(dataDir);
  if (!begun) return;
  if (!hasReplaced(dataDir, begun)) {
    endRestore(dataDir, begun);
    log.warn({ event: 'restore_undone' }, UNDONE);
    return;
  }
  try {
    await finish(deps, begun);
  } catch (error) {
    throw new StartError(`${UNFINISHED} ${(error as Error).message}`, { cause: error });
  }
  endRestore(dataDir, begun);
  log.warn({ event: 'restore_finished' }, FINISHED);
}

/** Does the rest of a restore once the records are those of the backup. Doing it again changes nothing. */
async function finish(
  { config, client, log }: Omit<Restore, 'store'>,
  { signingKeys, backupAt }: BegunRestore,
): Promise<void> {
  await migrate(client, config, config.github);
  await putBackSigningKeys(client, signingKeys);
  const keys = createSecretKeys(config);
  // With a wrong SECRET_KEY nothing could be logged, so the restore stays unfinished.
  await readSigningKeys(client, keys);
  await invalidateRestoredState(client, new Date());
  const stored = connectStore(
    keys,
    { client, clock: systemClock, outcomes: createOutcomeLog(log) },
    config.publicUrl,
  );
  await logRestore(
    {
      ...stored,
      onUnlogged: (error, { name }) =>
        log.error({ event: 'restore_unlogged', err: error, org: name }, UNLOGGED),
    },
    backupAt === null ? null : new Date(backupAt),
  );
}

import { resolve } from 'node:path';
import { createRecordedLog } from '../adapters/pocketbase/audit/log-reader.ts';
import type { StoreClient } from '../adapters/pocketbase/client.ts';
import { type Store, startEmbeddedStore } from '../adapters/pocketbase/process/start-store.ts';
import { migrate } from '../adapters/pocketbase/schema/migrate.ts';
import { connectStore } from '../app/connect-store.ts';
import { createOutcomeLog } from '../app/outcome-log.ts';
import { checkWholeLog } from '../audit/check-log.ts';
import type { Config } from '../settings/config.ts';
import { StartError } from '../shared/app-error.ts';
import { systemClock } from '../shared/clock.ts';
import type { Log } from '../shared/log-events.ts';
import { createSecretKeys, secretKeys } from '../shared/secret-key.ts';
import { type CheckedBackup, openCheckedBackup } from './check-backup.ts';
import { type Command, type Printing, runCommand } from './run-command.ts';

/** A temporary store that holds a checked backup. */
type TriedStore = Store & CheckedBackup;

const HOUR_MS = 60 * 60 * 1000;

/** What is counted, and what it's called. */
const COUNTED = {
  organizations: 'organizations',
  people: 'gh_users',
  passkeysAndKeys: 'webauthn',
  oneTimeCodes: 'totps',
  approvals: 'approvals',
} as const;

/**
 * `otp-guard restore --check <file>`: a restore drill. Does with a temporary
 * store what a restore does with the real one, compares all of the log, and
 * prints what the backup holds. Changes nothing.
 *
 * @throws StartError with one sentence if the backup can't be restored, or its log was changed.
 */
export const tryRestore = (file: string, printing: Printing) =>
  runCommand<TriedStore>('The check', describeBackup, {
    ...printing,
    openStore: (config, log) => openInTemporaryStore(config, log, resolve(file)),
  });

/**
 * Opens and checks a backup, and starts a store over it in a temporary folder.
 *
 * @throws StartError as `openCheckedBackup` does.
 */
export async function openInTemporaryStore(config: Config, log: Log, path: string): Promise<TriedStore> {
  const backup = await openCheckedBackup(config, log, path);
  const { dataDir } = backup.archive;
  try {
    const { stop, ...address } = await startEmbeddedStore({ dataDir, publicUrl: config.publicUrl, log });
    const stopAndRemove = async () => {
      await stop();
      await backup.archive.remove();
    };
    return { ...backup, address, stop: stopAndRemove };
  } catch (error) {
    await backup.archive.remove();
    throw error;
  }
}

/**
 * Brings the temporary store to today's schema, and says what it holds and how old it is.
 *
 * @throws StartError with one sentence if that fails, or if the log in it was changed.
 */
export async function describeBackup({
  config,
  client,
  log,
  store,
}: Pick<Command<TriedStore>, 'config' | 'client' | 'log' | 'store'>): Promise<object> {
  const embedded = { kind: 'embedded', dataDir: store.archive.dataDir } as const;
  // The temporary folder has no key file of its own.
  const tried = { ...config, store: embedded, secretKeys: secretKeys(config) };
  await migrate(client, tried, config.github);
  const stored = connectStore(
    createSecretKeys(tried),
    { client, clock: systemClock, outcomes: createOutcomeLog(log) },
    config.publicUrl,
  );
  const logEntries = await countLog(client, stored.signingKeys);
  return { restorable: true, ...ageOf(store), ignored: store.ignored, ...(await count(client)), logEntries };
}

function ageOf({ schema, newest }: CheckedBackup) {
  const ageHours = newest && Math.round((Date.now() - newest.getTime()) / HOUR_MS);
  return { newest: newest?.toISOString() ?? null, ageHours, schema };
}

/**
 * The number of entries in all logs of a store.
 *
 * @throws StartError if one of them isn't as OTP Guard wrote it.
 */
async function countLog(
  client: StoreClient,
  signingKeys: Parameters<typeof checkWholeLog>[0]['signingKeys'],
): Promise<number> {
  const recordedLog = createRecordedLog(client);
  let entries = 0;
  for (const org of await recordedLog.organizations()) {
    const { size, changed } = await checkWholeLog({ recordedLog, signingKeys }, org);
    if (changed !== null)
      throw new StartError(
        `Somebody changed the log in this backup: entry ${changed} of the organization with the id ${org.orgId} is not as OTP Guard wrote it. Use another backup.`,
      );
    entries += size;
  }
  return entries;
}

async function count(client: StoreClient): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, collection] of Object.entries(COUNTED)) {
    const page = await client.run((records) =>
      records.collection(collection).getList(1, 1, { fields: 'id' }),
    );
    counts[name] = page.totalItems;
  }
  return counts;
}

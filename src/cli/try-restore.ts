import { resolve } from 'node:path';
import type { StoreClient } from '../adapters/pocketbase/client.ts';
import { migrate } from '../adapters/pocketbase/migrate.ts';
import { recordsOf } from '../adapters/pocketbase/records/records-of.ts';
import { connectStore } from '../app/connect-store.ts';
import { createOutcomeLog } from '../app/outcome-log.ts';
import { checkWholeLog } from '../audit/check-log.ts';
import { StartError } from '../shared/app-error.ts';
import { systemClock } from '../shared/clock.ts';
import { createSecretKeys } from '../shared/secret-key.ts';
import { type OpenedBackup, openInTemporaryStore } from './open-in-temporary-store.ts';
import { type Command, type Printing, runCommand } from './run-command.ts';

const HOUR_MS = 60 * 60 * 1000;

/** The collections to count, by their names in the result. */
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
  runCommand<OpenedBackup>('The check', describeBackup, {
    ...printing,
    openStore: (config, log) => openInTemporaryStore(config, log, resolve(file)),
  });

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
}: Pick<Command<OpenedBackup>, 'config' | 'client' | 'log' | 'store'>): Promise<object> {
  const embedded = { kind: 'embedded', dataDir: store.archive.dataDir } as const;
  await migrate(client, { ...config, store: embedded }, config.github);
  const stored = connectStore(
    createSecretKeys(config),
    { client, clock: systemClock, outcomes: createOutcomeLog(log) },
    config.publicUrl,
  );
  const logEntries = await countLog(stored);
  return { restorable: true, ...ageOf(store), ignored: store.ignored, ...(await count(client)), logEntries };
}

function ageOf({ schema, newest }: OpenedBackup) {
  const ageHours = newest && Math.round((Date.now() - newest.getTime()) / HOUR_MS);
  return { newest: newest?.toISOString() ?? null, ageHours, schema };
}

/**
 * The number of entries in all logs of a store.
 *
 * @throws StartError if one of them isn't as OTP Guard wrote it.
 */
async function countLog({ audit, organizations }: ReturnType<typeof connectStore>): Promise<number> {
  const { auditLog: recordedLog, signingKeys } = audit;
  let entries = 0;
  for (const org of await organizations.organizations.all()) {
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
  for (const [name, collection] of Object.entries(COUNTED))
    counts[name] = await recordsOf(client, collection).count({});
  return counts;
}

import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { readSigningKeys } from '../../adapters/pocketbase/audit/signing-keys.ts';
import {
  createStoreClient,
  ignoreMissing,
  type StoreClient,
  storeTime,
} from '../../adapters/pocketbase/client.ts';
import { readSchemaVersion, reasonOf } from '../../adapters/pocketbase/migrate.ts';
import { storeFolder } from '../../adapters/pocketbase/process/data-folder.ts';
import { findProduct } from '../../adapters/pocketbase/process/process-marker.ts';
import { findOrStartStore } from '../../adapters/pocketbase/process/start-store.ts';
import { recordsOf } from '../../adapters/pocketbase/records/records-of.ts';
import { SCHEMA_VERSION } from '../../adapters/pocketbase/schema.ts';
import type { Config } from '../../settings/config.ts';
import { StartError } from '../../shared/app-error.ts';
import { createSecretKeys } from '../../shared/secret-key.ts';
import { type Found, note, ok, problem } from './finding.ts';

/**
 * Checks that the record store answers, that its schema is this version's, and that nobody else wrote to it lately.
 *
 * @param isRunning True if an OTP Guard runs with these settings.
 */
export async function checkStore(
  read: () => ReturnType<typeof readStore>,
  isRunning: () => Promise<boolean>,
  known = SCHEMA_VERSION,
): Promise<Found> {
  const found = await read().catch((error: Error) => error.message);
  if (typeof found === 'string') return problem(found);
  if (found === null && (await isRunning()))
    return problem(
      'OTP Guard runs, but its record store isn’t in DATA_DIR. Run otp-guard doctor in the folder and with the settings of that OTP Guard.',
    );
  if (found === null || found.schema === 0)
    return note(
      'There is no record store yet. The first start creates it. If OTP Guard ran before, this isn’t its folder.',
    );
  const { schema, forged } = found;
  if (forged > 0)
    return problem(
      `In the last week, OTP Guard found records or checks that it didn't write (${forged}). Somebody changes the record store, or has the App's key: docs/runbook.md says what to do.`,
    );
  if (schema > known)
    return problem(
      `The record store has schema ${schema}, and this version knows ${known}. Run a newer version.`,
    );
  if (schema < known)
    return note(
      `The record store has schema ${schema}; the next start upgrades it to ${known}. Make a backup first.`,
    );
  return ok(`The record store answers, and has schema ${schema}.`);
}

/** Less than the time that the check has. */
const PATIENCE_MS = 20_000;

const WEEK_MS = 7 * 24 * 60 * 60_000;

/**
 * The schema of the record store, 0 if it's empty, and the number of what was found forged lately: of the product's if
 * it's running, else of a store that is started for this. Null if there is none yet, because starting one would create
 * it. Also tries whether SECRET_KEY opens its records.
 *
 * @throws StartError with a sentence for the operator.
 */
export async function readStore(
  config: Config,
  log: Logger,
): Promise<{ schema: number; forged: number } | null> {
  if (config.store.kind === 'embedded' && !(await isUsable(config.store.dataDir))) return null;
  const store = await findOrStartStore(config, log, { patienceMs: PATIENCE_MS });
  try {
    const client = createStoreClient(store.address);
    const schema = await readSchemaVersion(client);
    await requireOwnKeys(config, client);
    return { schema, forged: schema === 0 ? 0 : await countForged(client) };
  } catch (error) {
    if (error instanceof StartError) throw error;
    const where =
      config.store.kind === 'external' ? `The record store at ${config.store.url}` : 'The record store';
    throw new StartError(`${where} can't be used: ${reasonOf(error)}`);
  } finally {
    await store.stop();
  }
}

/** Each forged record or check is in the log of its organization once. */
const countForged = (client: StoreClient) =>
  recordsOf(client, 'gh_activities').count([
    '(activity = "forgedRecord" || activity = "forgedCheck") && created > {:since}',
    { since: storeTime(new Date(Date.now() - WEEK_MS)) },
  ]);

/** @throws StartError if it's another user's: what a store writes as root, the product couldn't read any more. */
async function isUsable(dataDir: string): Promise<boolean> {
  if (findProduct(dataDir)) return true;
  const found = await stat(join(storeFolder(dataDir), 'data', 'data.db')).catch(() => null);
  if (found && process.getuid && found.uid !== process.getuid())
    throw new StartError(`${dataDir} belongs to another user. Run otp-guard doctor as that user.`);
  return found !== null;
}

/**
 * Compares SECRET_KEY with the signing keys, as each start does. Nothing is created: a store without one, as before the
 * first start, is fine.
 *
 * @throws StartError with a sentence if SECRET_KEY isn't the key of these records.
 */
async function requireOwnKeys(config: Config, client: StoreClient): Promise<void> {
  const found = await recordsOf(client, 'signing_keys').first({}).catch(ignoreMissing);
  if (!found) return;
  const { store, secretKeys } = config;
  const file =
    store.kind === 'embedded' && secretKeys.length === 0 ? join(store.dataDir, 'secret.key') : null;
  if (file !== null && !existsSync(file))
    throw new StartError(
      `${file} is missing: the records were sealed with it. Put back the copy that you kept.`,
    );
  await readSigningKeys(client, createSecretKeys(config));
}

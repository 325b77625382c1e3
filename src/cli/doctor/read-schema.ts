import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createStoreClient } from '../../adapters/pocketbase/client.ts';
import { storeFolder } from '../../adapters/pocketbase/process/data-folder.ts';
import { findRunningStore } from '../../adapters/pocketbase/process/process-marker.ts';
import { requireNoRestore } from '../../adapters/pocketbase/process/restore-marker.ts';
import { findOrStartStore } from '../../adapters/pocketbase/process/start-store.ts';
import { readSchemaVersion, reasonOf } from '../../adapters/pocketbase/schema/migrate.ts';
import type { Config } from '../../settings/config.ts';
import { StartError } from '../../shared/start-error.ts';
import { requireOwnKeys } from './require-own-keys.ts';

const PATIENCE_MS = 2_000;

/**
 * The schema of the record store: the product's, if it's running, and otherwise one that is started for this. Null if
 * there is none yet, because starting one would create it. Also tries whether SECRET_KEY opens its records.
 *
 * @throws StartError with a sentence for the operator.
 */
export async function readSchema(config: Config, log: Logger): Promise<number | null> {
  if (config.store.kind === 'embedded') requireNoRestore(config.store.dataDir);
  if (config.store.kind === 'embedded' && !(await isUsable(config.store.dataDir))) return null;
  const store = await findOrStartStore(config, log, PATIENCE_MS);
  try {
    const client = createStoreClient(store.address);
    const schema = await readSchemaVersion(client);
    await requireOwnKeys(config, client);
    return schema;
  } catch (error) {
    if (error instanceof StartError) throw error;
    const where =
      config.store.kind === 'external' ? `The record store at ${config.store.url}` : 'The record store';
    throw new StartError(`${where} can't be used: ${reasonOf(error)}`);
  } finally {
    await store.stop();
  }
}

/** @throws StartError if it's another user's: what a store writes as root, the product couldn't read any more. */
async function isUsable(dataDir: string): Promise<boolean> {
  if (await findRunningStore(dataDir, PATIENCE_MS)) return true;
  const found = await stat(join(storeFolder(dataDir), 'data', 'data.db')).catch(() => null);
  if (found && process.getuid && found.uid !== process.getuid())
    throw new StartError(`${dataDir} belongs to another user. Run otp-guard doctor as that user.`);
  return found !== null;
}

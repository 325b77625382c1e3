import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config, GitHubConfig } from '../config.ts';
import { DamagedStore, StartError } from '../start-error.ts';
import type { StoreClient } from './client.ts';
import { migrate } from './migrate.ts';
import { type StoreAddress, startEmbeddedStore } from './process.ts';
import { findRunning, noteRunning } from './running.ts';

/**
 * Starts the embedded record store, or names the external one.
 *
 * @param patienceMs How long it waits for a store that another process starts again.
 * @throws StartError where the embedded one does not come up.
 */
export async function openStore(
  config: Config,
  log: Logger,
  patienceMs?: number,
): Promise<{ address: StoreAddress; stop(): Promise<void> }> {
  if (config.store.kind === 'external') {
    const { url, email, password } = config.store;
    return { address: { url, email, password }, stop: async () => undefined };
  }
  const { dataDir } = config.store;
  // Two over one folder would each change the other's password, and write into one file.
  if (await findRunning(dataDir, patienceMs))
    throw new StartError(`DATA_DIR: another OTP Guard runs over ${dataDir}.`);
  const embedded = await startEmbeddedStore({ dataDir, publicUrl: config.publicUrl, log }).catch(
    (error: Error) => {
      throw error instanceof StartError ? error : new StartError(error.message);
    },
  );
  const forget = noteRunning(dataDir, embedded);
  return {
    address: embedded,
    async stop() {
      await embedded.stop();
      forget();
    },
  };
}

/**
 * The record store for a command beside the product: the one that runs, or one
 * started for as long as the command takes.
 *
 * @throws StartError where there is none and none comes up.
 */
export async function attachStore(
  config: Config,
  log: Logger,
  patienceMs?: number,
): ReturnType<typeof openStore> {
  const running =
    config.store.kind === 'embedded' ? await findRunning(config.store.dataDir, patienceMs) : null;
  return running ? { address: running, stop: async () => undefined } : openStore(config, log, patienceMs);
}

/**
 * As `attachStore`; an embedded store that does not start any more is put aside,
 * untouched, and an empty one takes its place.
 */
export async function attachOrReplaceStore(
  config: Config,
  log: Logger,
  patienceMs?: number,
): ReturnType<typeof openStore> {
  try {
    return await attachStore(config, log, patienceMs);
  } catch (error) {
    // Nothing but damage is put aside: not the store of a product that lives, nor one whose disk is full.
    if (config.store.kind === 'external' || !(error instanceof DamagedStore)) throw error;
    const aside = setAside(config.store.dataDir, new Date());
    log.warn({ aside, reason: (error as Error).message }, 'the record store did not start: it was put aside');
    return openStore(config, log);
  }
}

/** Gives the store's folder another name, and answers it. */
function setAside(dataDir: string, now: Date): string {
  const aside = join(dataDir, `pocketbase-${now.toISOString().replace(/[^0-9]/g, '')}`);
  renameSync(join(dataDir, 'pocketbase'), aside);
  return aside;
}

/**
 * Brings the record store to this code's schema.
 *
 * @throws StartError with what is wrong and which setting to look at.
 */
export async function prepareStore(client: StoreClient, config: Config, github: GitHubConfig): Promise<void> {
  try {
    await migrate(client, config, github);
  } catch (error) {
    if (config.store.kind === 'embedded')
      throw new StartError(`The record store could not be prepared: ${(error as Error).message}`);
    throw new StartError(`The record store at ${config.store.url} could not be prepared: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const { status, message } = error as Error & { status?: number };
  if (status === 404) return 'it is no record store. Is POCKETBASE_URL right?';
  if (status === 503) return 'it does not answer. Is POCKETBASE_URL right?';
  if (status === 400 || status === 401)
    return 'it refused POCKETBASE_SUPERUSER_EMAIL and POCKETBASE_SUPERUSER_PASSWORD.';
  return message;
}

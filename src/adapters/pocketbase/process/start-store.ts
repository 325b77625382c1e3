import type { Config } from '../../../settings/config.ts';
import type { Log } from '../../../shared/log-events.ts';
import { DamagedStore, StartError } from '../../../shared/start-error.ts';
import { removeLeftovers } from '../backups/remove-leftovers.ts';
import { setStoreAside } from './data-folder.ts';
import { findRunningStore, writeProcessMarker } from './process-marker.ts';
import { startEmbeddedStore } from './start-embedded-store.ts';
import type { StoreAddress } from './store-address.ts';

/** A record store to work with. `stop` ends what was started for it, and leaves any other store running. */
export type Store = { address: StoreAddress; stop(): Promise<void> };

/**
 * The product's record store: starts the embedded one, or uses the external one.
 *
 * @param patienceMs How long to wait for a store that another process is restarting.
 * @throws StartError if another process runs over the same folder, or the store doesn't start.
 */
export async function startStore(config: Config, log: Log, patienceMs?: number): Promise<Store> {
  if (config.store.kind === 'external') {
    const { url, email, password } = config.store;
    return leaveRunning({ url, email, password });
  }
  const { dataDir } = config.store;
  // Two processes over one folder would change each other's password and write to the same file.
  if (await findRunningStore(dataDir, patienceMs))
    throw new StartError(`DATA_DIR: another OTP Guard is already running over ${dataDir}.`);
  await removeLeftovers(dataDir);
  const embedded = await startEmbeddedStore({ dataDir, publicUrl: config.publicUrl, log }).catch(
    (error: Error) => {
      throw error instanceof StartError ? error : new StartError(error.message);
    },
  );
  const removeMarker = writeProcessMarker(dataDir, embedded);
  return {
    address: embedded,
    async stop() {
      await embedded.stop();
      removeMarker();
    },
  };
}

/**
 * The record store for an operator's command: the product's, if it's running,
 * and otherwise one that is started for this command.
 *
 * @throws StartError if the product's store doesn't answer, or none starts.
 */
export async function findOrStartStore(config: Config, log: Log, patienceMs?: number): Promise<Store> {
  if (config.store.kind === 'external') return startStore(config, log);
  const running = await findRunningStore(config.store.dataDir, patienceMs);
  return running ? leaveRunning(running) : startStore(config, log, patienceMs);
}

/**
 * Like `findOrStartStore`, but replaces an embedded store that is damaged with
 * an empty one. The damaged store's folder is renamed, and not changed.
 */
export async function findOrReplaceStore(config: Config, log: Log, patienceMs?: number): Promise<Store> {
  try {
    return await findOrStartStore(config, log, patienceMs);
  } catch (error) {
    // Only a damaged store is replaced: never one that a running product uses, nor one whose disk is full.
    if (config.store.kind === 'external' || !(error instanceof DamagedStore)) throw error;
    const renamedTo = setStoreAside(config.store.dataDir, new Date());
    log.warn(
      { event: 'store_replaced', renamedTo, reason: error.message },
      'the record store is damaged; its folder was renamed',
    );
    return startStore(config, log);
  }
}

const leaveRunning = (address: StoreAddress): Store => ({ address, stop: async () => undefined });

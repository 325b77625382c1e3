import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../../settings/config.ts';
import { DamagedStore, StartError } from '../../../shared/app-error.ts';
import type { Log } from '../../../shared/log-events.ts';
import { removeLeftovers } from '../backups/open-archive.ts';
import { storeError, verifyBinary } from './binary.ts';
import { SUPERUSER, superuserHook, withHook } from './commands.ts';
import { folderFlags, hooksFolder, requireIntactData, setStoreAside } from './data-folder.ts';
import { findRunningStore, isHealthy, type StoreAddress, writeProcessMarker } from './process-marker.ts';
import { type Supervised, supervise } from './supervise.ts';

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

type EmbeddedStore = StoreAddress & {
  /** Ends the record store; resolves when its process is gone. */
  stop(): Promise<void>;
};

/** The wait for a start, which is slow on a busy machine. A store that ends is noticed immediately. */
const START_MS = 30_000;
const POLL_EVERY_MS = 15;
const MOST_PORTS = 5;

/**
 * Starts PocketBase on loopback over `dataDir`, restarts it when it dies, and
 * ends it with this process. The superuser's password is new at each start.
 *
 * @throws Error with one sentence if the store doesn't come up the first time.
 */
export async function startEmbeddedStore(input: {
  dataDir: string;
  publicUrl: string;
  log: Log;
}): Promise<EmbeddedStore> {
  const { dataDir, publicUrl, log } = input;
  const binary = await verifyBinary();
  const superuser = { email: SUPERUSER, password: randomBytes(24).toString('hex') };
  const flags = folderFlags(dataDir);
  requireIntactData(dataDir);
  return withHook(hooksFolder(dataDir), superuserHook(superuser), async () => {
    for (let ports = 1; ; ports += 1) {
      const port = await findFreePort();
      const url = `http://127.0.0.1:${port}`;
      const args = ['serve', `--http=127.0.0.1:${port}`, `--origins=${publicUrl}`, ...flags];
      const store = supervise({ binary, args, log });
      if (await becomesHealthy(url, store)) {
        store.keepRunning();
        return { url, ...superuser, stop: store.stop };
      }
      const hasEnded = store.hasEnded();
      await store.stop();
      if (!hasEnded)
        throw new Error(
          'The record store did not start in 30 seconds. Is its disk full, or its machine busy?',
        );
      // Until the store listens, another program can take the port.
      const hasLostPort = store.written().includes('address already in use');
      if (!hasLostPort || ports === MOST_PORTS) throw storeError(dataDir, store.written());
    }
  });
}

/** False if the store ends, or takes too long. */
async function becomesHealthy(url: string, store: Supervised): Promise<boolean> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    const isUp = await isHealthy(url);
    // Somebody else may answer at its address.
    if (store.hasEnded()) return false;
    if (isUp) return true;
    await delay(POLL_EVERY_MS);
  }
  return false;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port on this machine.');
  return address.port;
}

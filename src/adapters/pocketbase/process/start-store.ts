import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../../settings/config.ts';
import { DamagedStore, StartError } from '../../../shared/app-error.ts';
import type { Log } from '../../../shared/log-events.ts';
import { storeError, verifyBinary } from './binary.ts';
import { SUPERUSER, superuserHook, withHook } from './commands.ts';
import { folderFlags, hooksFolder, requireIntactData, setStoreAside } from './data-folder.ts';
import { type FolderLock, tryLock } from './folder-lock.ts';
import { removeLeftovers } from './leftovers.ts';
import {
  findProduct,
  isHealthy,
  removeProcessMarker,
  type StoreAddress,
  writeProcessMarker,
} from './process-marker.ts';
import { requireNoRestore } from './restore-marker.ts';
import { type Supervised, supervise } from './supervise.ts';

/** A record store to work with. `stop` ends what was started for it, and leaves any other store running. */
export type Store = { address: StoreAddress; stop(): Promise<void> };

type Waiting = {
  /** How long to wait for another process that uses the folder. */
  patienceMs?: number | undefined;
  /** Called once if there is something to wait for. */
  onWait?: (() => void) | undefined;
  /** Called before a damaged store is put aside. */
  onReplace?: (() => void) | undefined;
};

/** A command can hold a store for long, such as a backup of a large one. */
const PATIENCE_MS = 60_000;
/** A product that was killed is gone by then, and its store with it. */
const GONE_MS = 5_000;
const LOOK_AGAIN_MS = 100;

/**
 * The product's record store: starts the embedded one, or uses the external one.
 *
 * @throws StartError if another process runs over the same folder, or the store doesn't start.
 */
export const startStore = (config: Config, log: Log, waiting?: Waiting) =>
  openStore(config, log, { user: 'product', ...waiting });

/**
 * The record store for an operator's command: the product's, if it's running,
 * and otherwise a store that is started for this command.
 *
 * @throws StartError if the product's store doesn't answer, none starts, a backup is being restored, or that was
 *   interrupted.
 */
export const findOrStartStore = (config: Config, log: Log, waiting?: Waiting) =>
  openStore(config, log, { user: 'command', ...waiting });

/**
 * Like `findOrStartStore`, but for a restore: it replaces an embedded store that is damaged with an empty one. The
 * damaged store's folder is renamed, and not changed.
 */
export const findOrReplaceStore = (config: Config, log: Log, waiting?: Waiting) =>
  openStore(config, log, { user: 'restore', ...waiting });

type Turn = Waiting & { user: 'product' | 'command' | 'restore' };

/** An embedded store is started under the folder's lock, which is released when it has ended, or if it doesn't start. */
async function openStore({ store, publicUrl }: Config, log: Log, turn: Turn): Promise<Store> {
  if (store.kind === 'external') return leaveRunning(store);
  const { dataDir } = store;
  const found = await takeTurn(dataDir, turn);
  if ('url' in found) return leaveRunning(found);
  try {
    // A restore can have begun and ended since.
    if (turn.user === 'command') requireNoRestore(dataDir);
    removeProcessMarker(dataDir);
    await removeLeftovers(dataDir);
    const start = () => startEmbeddedStore({ dataDir, publicUrl, log, lock: found.pipe });
    const address = await start().catch((error: Error) => {
      if (turn.user !== 'restore' || !(error instanceof DamagedStore)) throw error;
      turn.onReplace?.();
      const renamedTo = setStoreAside(dataDir, new Date());
      log.warn(
        { event: 'store_replaced', renamedTo, reason: error.message },
        'the record store is damaged; its folder was renamed',
      );
      return start();
    });
    if (turn.user === 'product') writeProcessMarker(dataDir, address, found.name);
    return {
      address,
      async stop() {
        await address.stop();
        removeProcessMarker(dataDir);
        found.release();
      },
    };
  } catch (error) {
    found.release();
    throw error instanceof StartError ? error : new StartError((error as Error).message);
  }
}

/**
 * Waits for the lock with which this process may start the folder's store, or for the store of a running product.
 *
 * @throws StartError if neither comes in time, if one product finds another, or if a command finds a restore.
 */
async function takeTurn(
  dataDir: string,
  { user, patienceMs = PATIENCE_MS, onWait }: Turn,
): Promise<StoreAddress | FolderLock> {
  const began = performance.now();
  for (let isFirst = true; ; isFirst = false) {
    const lock = tryLock(dataDir, 'store');
    if (lock) return lock;
    if (user === 'command') requireNoRestore(dataDir);
    const product = findProduct(dataDir);
    const waitedMs = performance.now() - began;
    // Two processes over one folder would change each other's password and write to the same file.
    if (product && user === 'product' && waitedMs > GONE_MS)
      throw new StartError(`DATA_DIR: another OTP Guard is already running over ${dataDir}.`);
    if (product && user !== 'product' && (await isHealthy(product.url))) return product;
    if (waitedMs > patienceMs)
      throw new StartError(
        product
          ? `OTP Guard is running over ${dataDir} (process ${product.pid}), but its record store does not answer. Try again.`
          : `Another OTP Guard or command has been starting or using the record store in ${dataDir} for ${patienceMs / 1000} seconds. Try again.`,
      );
    if (isFirst) onWait?.();
    await delay(LOOK_AGAIN_MS);
  }
}

const leaveRunning = (address: StoreAddress): Store => ({ address, stop: async () => undefined });

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
  /** The pipe of the folder's lock, which the store then holds, too. */
  lock?: number;
}): Promise<StoreAddress & Pick<Store, 'stop'>> {
  const { dataDir, publicUrl, log, lock } = input;
  const binary = await verifyBinary();
  const superuser = { email: SUPERUSER, password: randomBytes(24).toString('hex') };
  const flags = folderFlags(dataDir);
  requireIntactData(dataDir);
  return withHook(hooksFolder(dataDir), superuserHook(superuser), async () => {
    for (let ports = 1; ; ports += 1) {
      const port = await findFreePort();
      const url = `http://127.0.0.1:${port}`;
      const args = ['serve', `--http=127.0.0.1:${port}`, `--origins=${publicUrl}`, ...flags];
      const store = supervise({ binary, args, log, lock });
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
    // Another program may answer at its address.
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

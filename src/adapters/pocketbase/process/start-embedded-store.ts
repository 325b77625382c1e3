import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../../shared/log-events.ts';
import { verifyBinary } from './binary.ts';
import { folderFlags, hooksFolder, requireIntactData } from './data-folder.ts';
import { isHealthy } from './is-healthy.ts';
import type { StoreAddress } from './store-address.ts';
import { storeError } from './store-error.ts';
import { superuserHook } from './superuser.ts';
import { type Supervised, supervise } from './supervise.ts';
import { withHook } from './with-hook.ts';

export type EmbeddedStore = StoreAddress & {
  /** Ends the record store; resolves when its process is gone. */
  stop(): Promise<void>;
};

/** The e-mail address by which the embedded store knows us. */
export const SUPERUSER = 'otp-guard@localhost.invalid';
/** Generous, because a busy machine is slow. A store that ends is noticed at once. */
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
  /** Called each time the store ends unexpectedly. */
  onDeath?(): void;
}): Promise<EmbeddedStore> {
  const { dataDir, publicUrl, log, onDeath } = input;
  const binary = await verifyBinary();
  const superuser = { email: SUPERUSER, password: randomBytes(24).toString('hex') };
  const flags = folderFlags(dataDir);
  requireIntactData(dataDir);
  return withHook(hooksFolder(dataDir), superuserHook(superuser), async () => {
    for (let ports = 1; ; ports += 1) {
      const port = await findFreePort();
      const url = `http://127.0.0.1:${port}`;
      const args = ['serve', `--http=127.0.0.1:${port}`, `--origins=${publicUrl}`, ...flags];
      const store = supervise({ binary, args, log, onDeath });
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

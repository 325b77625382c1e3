import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../log-events.ts';
import { folderFlags, hooksFolder, requireIntactData } from './data-folder.ts';
import { isHealthy } from './is-healthy.ts';
import type { StoreAddress } from './store-address.ts';
import { storeError } from './store-error.ts';
import { superuserHook } from './superuser.ts';
import { type Supervised, supervise } from './supervise.ts';
import { verifyBinary } from './verify-binary.ts';
import { withHook } from './with-hook.ts';

export type EmbeddedStore = StoreAddress & {
  /** Ends the record store; resolves when its process is gone. */
  stop(): Promise<void>;
};

/** The e-mail address by which the embedded store knows us. */
export const SUPERUSER = 'otp-guard@localhost.invalid';
const START_MS = 10_000;
const POLL_EVERY_MS = 15;

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
  const [binary, port] = await Promise.all([verifyBinary(), findFreePort()]);
  const address = {
    url: `http://127.0.0.1:${port}`,
    email: SUPERUSER,
    password: randomBytes(24).toString('hex'),
  };
  const args = ['serve', `--http=127.0.0.1:${port}`, `--origins=${publicUrl}`, ...folderFlags(dataDir)];
  requireIntactData(dataDir);
  return withHook(hooksFolder(dataDir), superuserHook(address), async () => {
    const store = supervise({ binary, args, log, onDeath });
    try {
      await untilHealthy(address.url, dataDir, store);
    } catch (error) {
      await store.stop();
      throw error;
    }
    store.keepRunning();
    return { ...address, stop: store.stop };
  });
}

async function untilHealthy(url: string, dataDir: string, store: Supervised): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (store.hasEnded()) throw storeError(dataDir, store.written());
    if (await isHealthy(url)) return;
    await delay(POLL_EVERY_MS);
  }
  throw new Error('The record store did not start in 10 seconds. Is its disk full, or its machine busy?');
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

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import PocketBase from 'pocketbase';
import { type EmbeddedStore, startEmbeddedStore } from '../../src/adapters/pocketbase/process/start-store.ts';
import { copyPreparedStore } from './prepared-store.ts';

export const SECRET_KEY = 'a-key-of-the-tests-of-more-than-32-characters';

export const silent = pino({ level: 'silent' });

/** Starts a record store in a new folder, without our collections, or with them if it's `prepared`. */
export async function startEmptyStore(
  kind?: 'prepared',
): Promise<EmbeddedStore & { records: PocketBase; dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-store-'));
  if (kind) copyPreparedStore(dataDir);
  const store = await startEmbeddedStore({ dataDir, publicUrl: 'http://localhost:3000', log: silent });
  return {
    ...store,
    records: await superuserOf(store),
    dataDir,
    async stop() {
      await store.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function superuserOf(store: {
  url: string;
  email: string;
  password: string;
}): Promise<PocketBase> {
  const records = new PocketBase(store.url);
  records.autoCancellation(false);
  await records.collection('_superusers').authWithPassword(store.email, store.password);
  return records;
}

import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pino from 'pino';
import PocketBase from 'pocketbase';
import { type ActivityLog, createActivityLog } from '../../src/adapters/pocketbase/audit/activity-log.ts';
import { createSigningKeys } from '../../src/adapters/pocketbase/audit/signing-keys.ts';
import { createStoreClient, type StoreClient } from '../../src/adapters/pocketbase/client.ts';
import { migrate } from '../../src/adapters/pocketbase/migrate.ts';
import { startEmbeddedStore } from '../../src/adapters/pocketbase/process/start-store.ts';
import { createRecordSeals } from '../../src/adapters/pocketbase/records/record-seals.ts';
import { createSealer } from '../../src/authenticators/seal.ts';
import type { ReportForgedRecord } from '../../src/organizations/report-forged-record.ts';
import { createRecordMac } from '../../src/shared/crypto.ts';
import { startAll } from './start-all.ts';

export const SECRET_KEY = 'a-key-of-the-tests-of-more-than-32-characters';

export const GITHUB = {
  appId: 1,
  privateKey: '',
  webhookSecret: '',
  clientId: 'client',
  clientSecret: 'secret',
  serverUrl: 'https://github.com',
  apiUrl: 'https://api.github.com',
};

export const silent = pino({ level: 'silent' });

/** The MACs of records, under the key of the products over a test's own store. */
export const recordSeals = (report: ReportForgedRecord = () => undefined) =>
  createRecordSeals(
    createRecordMac(() => [SECRET_KEY]),
    report,
  );

/** Puts a record store with our collections and no record into this data folder: `scripts/prepare-store.js`. */
export function copyPreparedStore(dataDir: string): void {
  const prepared = resolve('dist-test/store');
  if (existsSync(prepared)) cpSync(prepared, join(dataDir, 'pocketbase'), { recursive: true });
}

/** Starts a record store in a new folder, without our collections, or with them if it's `prepared`. */
export async function startEmptyStore(kind?: 'prepared') {
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

/** An empty store with our collections, and the clients of two processes over it. */
export const startMigratedStore = () =>
  startAll(async (stops) => {
    const store = await startEmptyStore('prepared');
    stops.push(store.stop);
    const [one, two] = [createStoreClient(store), createStoreClient(store)];
    await bringToSchema(one, store);
    const { url, email, password } = store;
    return { ...store, address: { url, email, password }, one, two };
  });

type Address = { url: string; email: string; password: string };

/** Brings a store to our schema, as an external one. */
export function bringToSchema(client: StoreClient, { url, email, password }: Address) {
  const store = { kind: 'external', url, email, password } as const;
  return migrate(client, { store, publicUrl: 'http://localhost:3000' }, GITHUB);
}

export async function superuserOf({ url, email, password }: Address): Promise<PocketBase> {
  const records = new PocketBase(url);
  records.autoCancellation(false);
  await records.collection('_superusers').authWithPassword(email, password);
  return records;
}

/** The signing keys of a store, sealed with the tests' key. */
export const signingKeysOf = (client: StoreClient) =>
  createSigningKeys(
    client,
    createSealer(() => [SECRET_KEY]),
    recordSeals(),
  );

const logs = new WeakMap<StoreClient, ActivityLog>();

/** The activity log of a store, as one process has it. */
export function activityLogOf(client: StoreClient): ActivityLog {
  const log =
    logs.get(client) ??
    createActivityLog(client, signingKeysOf(client), { publicUrl: 'http://localhost:3000' });
  logs.set(client, log);
  return log;
}

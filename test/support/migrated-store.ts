import type PocketBase from 'pocketbase';
import { createStoreClient, type StoreClient } from '../../src/adapters/pocketbase/client.ts';
import { migrate } from '../../src/adapters/pocketbase/schema/migrate.ts';
import { SECRET_KEY, startEmptyStore } from './empty-store.ts';

export const GITHUB = {
  appId: 1,
  privateKey: '',
  webhookSecret: '',
  clientId: 'client',
  clientSecret: 'secret',
  serverUrl: 'https://github.com',
  apiUrl: 'https://api.github.com',
};

/** An empty store with our collections, and the clients of two processes over it. */
export async function startMigratedStore(): Promise<{
  records: PocketBase;
  dataDir: string;
  address: { url: string; email: string; password: string };
  one: StoreClient;
  two: StoreClient;
  stop(): Promise<void>;
}> {
  const store = await startEmptyStore('prepared');
  try {
    const { url, email, password, records, dataDir, stop } = store;
    const [one, two] = [createStoreClient(store), createStoreClient(store)];
    const external = { kind: 'external', url, email, password } as const;
    const config = { store: external, publicUrl: 'http://localhost:3000', secretKeys: [SECRET_KEY] };
    await migrate(one, config, GITHUB);
    return { records, dataDir, address: { url, email, password }, one, two, stop };
  } catch (error) {
    await store.stop();
    throw error;
  }
}

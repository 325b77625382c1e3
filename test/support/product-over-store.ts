import type PocketBase from 'pocketbase';
import type { EmbeddedStore } from '../../src/adapters/pocketbase/process/start-store.ts';
import { type OwnProduct, startTestProduct } from './product.ts';
import { SECRET_KEY, startEmptyStore } from './stores.ts';

/** The product with a record store that the test can also access directly, as its superuser. */
export type ProductOverStore = OwnProduct & {
  /** The record store, with its own address. */
  store: EmbeddedStore;
  /** The record store's client, as its superuser. */
  records: PocketBase;
};

export async function startProductOverStore(
  options: Pick<Parameters<typeof startTestProduct>[0] & object, 'clock' | 'waits' | 'crowd'> = {},
): Promise<ProductOverStore> {
  const store = await startEmptyStore('prepared');
  try {
    const product = await startTestProduct({
      ...options,
      env: {
        POCKETBASE_URL: store.url,
        POCKETBASE_SUPERUSER_EMAIL: store.email,
        POCKETBASE_SUPERUSER_PASSWORD: store.password,
        SECRET_KEY,
        METRICS_TOKEN: SECRET_KEY,
        TRUST_PROXY: '1',
      },
    });
    // The first round stores what the product reads at its start.
    await product.firstRound;
    return {
      ...product,
      store,
      records: store.records,
      async stop() {
        try {
          await product.stop();
        } finally {
          await store.stop();
        }
      },
    };
  } catch (error) {
    await store.stop();
    throw error;
  }
}

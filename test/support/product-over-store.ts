import { startTestProduct } from './product.ts';
import { startAll } from './start-all.ts';
import { SECRET_KEY, startEmptyStore } from './stores.ts';

/** The product with a record store that the test can also access directly, as its superuser. */
export type ProductOverStore = Awaited<ReturnType<typeof startProductOverStore>>;

export function startProductOverStore(
  options: Pick<Parameters<typeof startTestProduct>[0] & object, 'clock' | 'waits' | 'crowd'> = {},
) {
  return startAll(async (stops) => {
    const store = await startEmptyStore('prepared');
    stops.push(store.stop);
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
    stops.push(product.stop);
    // The first round stores what the product reads at its start.
    await product.firstRound;
    return { ...product, store, records: store.records };
  });
}

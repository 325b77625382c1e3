import { randomUUID } from 'node:crypto';
import { AppError } from '../../../shared/app-error.ts';
import { ignoreMissing, type StoreClient } from '../client.ts';

/**
 * Writes a record of its own, reads and deletes it: a store with a full disk still answers reads.
 *
 * @throws Error if the store does none of that in time. What is left of it expires.
 */
export async function requireWritable(client: StoreClient, { waitMs }: { waitMs: number }): Promise<void> {
  const signal = AbortSignal.timeout(waitMs);
  const key = `write-test:${randomUUID()}`;
  const expires = client.clock.now().toISOString();
  await client.run(async (records) => {
    const keys = records.collection('one_time_keys');
    const { id } = await keys.create<{ id: string }>({ key, expires }, { signal });
    const read = await keys.getOne<{ key: string }>(id, { signal });
    if (read.key !== key) throw new AppError('storeUnavailable');
    await keys.delete(id, { signal }).catch(ignoreMissing);
  });
}

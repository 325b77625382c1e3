import type { BatchService } from 'pocketbase';
import { createIfNew, type StoreClient } from '../client.ts';

/** A used key is kept longer than what it belongs to: `deleteExpired` removes it when nobody can present that again. */
const KEPT_MS = 60 * 60 * 1000;
const NEVER = '2999-01-01 00:00:00.000Z';

/**
 * Uses up a one-time key: true for the first caller in all processes, false for
 * every later one. PocketBase deletes without counting rows, so a key is used
 * up by *creating* a record under a unique index, never by deleting one.
 */
export async function consumeKey(client: StoreClient, key: string, expires: Date): Promise<boolean> {
  const until = new Date(expires.getTime() + KEPT_MS).toISOString();
  const made = await createIfNew(() =>
    client.run((records) => records.collection('one_time_keys').create({ key, expires: until })),
  );
  return made !== null;
}

/** Uses up a key, permanently or until a time, as part of a batch: the batch fails with a duplicate if it was already used. */
export function consumeKeyInBatch(batch: BatchService, key: string, until?: Date): void {
  batch.collection('one_time_keys').create({ key, expires: until?.toISOString() ?? NEVER });
}

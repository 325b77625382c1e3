import { randomUUID } from 'node:crypto';
import type { BatchService } from 'pocketbase';
import { AppError } from '../../../shared/app-error.ts';
import type { Quota } from '../../../shared/limits.ts';
import { ignoreMissing, type StoreClient } from '../client.ts';
import { recordsOf } from './records-of.ts';

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
  return (await recordsOf(client, 'one_time_keys').createIfNew({ key, expires: until })) !== null;
}

/** Uses up a key, permanently or until a time, as part of a batch: the batch fails with a duplicate if it was already used. */
export function consumeKeyInBatch(batch: BatchService, key: string, until?: Date): void {
  batch.collection('one_time_keys').create({ key, expires: until?.toISOString() ?? NEVER });
}

/**
 * Slots are records with unique names: of two processes that want the same one
 * at the same moment, one gets it.
 */
export function createQuota(client: StoreClient): Quota {
  const slots = recordsOf(client, 'one_time_keys');
  return {
    async take(name, { most, ms }, now) {
      let next = new Date(now.getTime() + ms);
      const expires = next.toISOString();
      for (let slot = 1; slot <= most; slot += 1) {
        const key = `${name}:${slot}`;
        const holder = await slots.first({ key });
        const until = holder && new Date(holder.expires);
        if (until && until > now) {
          if (until < next) next = until;
          continue;
        }
        if (holder) await slots.delete(holder.id);
        // It's null if another process was faster.
        const taken = await slots.createIfNew({ key, expires });
        if (taken) return { release: () => slots.delete(taken.id) };
      }
      return next;
    },
  };
}

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

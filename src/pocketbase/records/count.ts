import type { StoreClient } from '../client.ts';

/** From here on counting takes noticeably longer than reading a page, and nobody misses the newest one. */
const MANY = 5_000;
const REMEMBERED_MS = 30_000;
const MOST_REMEMBERED = 1_000;

type Count = { total: number; at: number };
export type CountRecords = (
  collection: string,
  filter: string,
  values: Record<string, unknown>,
) => Promise<number>;

/**
 * Counts records for pages. The record store goes through all of them. So each process remembers a count of more than
 * 5,000: an answer that is older than half a minute is still given, and the next one is counted meanwhile.
 */
export function createCount(client: StoreClient): CountRecords {
  const remembered = new Map<string, Count>();
  const running = new Map<string, Promise<number>>();

  const count = (key: string, collection: string, filter: string): Promise<number> => {
    const counted = client
      .run((records) => records.collection(collection).getList(1, 1, { filter, fields: 'id' }))
      .then(({ totalItems: total }) => {
        remembered.delete(key);
        if (total > MANY) remembered.set(key, { total, at: performance.now() });
        for (const [oldest] of remembered) if (remembered.size > MOST_REMEMBERED) remembered.delete(oldest);
        return total;
      })
      .finally(() => running.delete(key));
    running.set(key, counted);
    return counted;
  };

  return async (collection, filter, values) => {
    const resolved = await client.run(async (records) => records.filter(filter, values));
    const key = `${collection} ${resolved}`;
    const known = remembered.get(key);
    if (known && performance.now() - known.at < REMEMBERED_MS) return known.total;
    const next = running.get(key) ?? count(key, collection, resolved);
    if (!known) return next;
    next.catch(() => undefined);
    return known.total;
  };
}

import type { StoreClient } from '../client.ts';

/** Counting more records than this takes noticeably longer than reading a page, and nobody misses the newest one. */
const MANY = 5_000;
const REMEMBERED_MS = 30_000;
const MOST_REMEMBERED = 1_000;

/** `at` is a time of `performance.now()`. */
type Count = { total: number; at: number };
type Question = [collection: string, filter: string, values: Record<string, unknown>];
type CountRecords = (...question: Question) => Promise<number>;

/**
 * Counts records for pages. The record store goes through all of them. So each process remembers a count of more than
 * 5,000: an answer that is older than half a minute is still given, and the next one is counted in the background.
 */
export function createCount(client: StoreClient): CountRecords {
  const count = createDatedCount(client);
  return async (...question) => (await count(...question)).total;
}

/** Counts like `createCount`, and says when. */
export function createDatedCount(
  client: StoreClient,
): (...question: Question) => Promise<{ total: number; asOf: Date }> {
  const remembered = new Map<string, Count>();
  const running = new Map<string, Promise<Count>>();

  const count = (key: string, collection: string, filter: string): Promise<Count> => {
    const counted = client
      .run((records) => records.collection(collection).getList(1, 1, { filter, fields: 'id' }))
      .then(({ totalItems: total }) => {
        remembered.delete(key);
        const counted = { total, at: performance.now() };
        if (total > MANY) remembered.set(key, counted);
        for (const [oldest] of remembered) if (remembered.size > MOST_REMEMBERED) remembered.delete(oldest);
        return counted;
      })
      .finally(() => running.delete(key));
    running.set(key, counted);
    return counted;
  };

  return async (collection, filter, values) => {
    const resolved = await client.run(async (records) => records.filter(filter, values));
    const key = `${collection} ${resolved}`;
    const known = remembered.get(key);
    if (known && performance.now() - known.at < REMEMBERED_MS) return dated(known);
    const next = running.get(key) ?? count(key, collection, resolved);
    if (!known) return dated(await next);
    next.catch(() => undefined);
    return dated(known);
  };
}

const dated = ({ total, at }: Count) => ({
  total,
  asOf: new Date(Date.now() - (performance.now() - at)),
});

/**
 * The operand of PocketBase's `~` that finds exactly this text, in any case: `%` and `_` aren't wildcards. A filter must
 * take it as a value, never as a part of its text.
 */
export const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

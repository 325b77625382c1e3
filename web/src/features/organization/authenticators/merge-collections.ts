import type { Authenticator } from '../../../lib/authenticator.ts';
import { newestFirst, PER_PAGE } from '../../../lib/authenticator-records.ts';

/** The pages read of one collection, newest first, and whether there may be more. */
export type ReadPages = { items: Authenticator[]; pages: number; hasMore: boolean };

export const NO_PAGES: ReadPages = { items: [], pages: 0, hasMore: true };

export const addPage = (read: ReadPages, items: Authenticator[]): ReadPages => ({
  items: [...read.items, ...items],
  pages: read.pages + 1,
  hasMore: items.length >= PER_PAGE,
});

/**
 * Merges the collections into one list, newest first, each authenticator once. It ends at the oldest item of a
 * collection with more pages: older items of the other one could move when the next page arrives.
 */
export function mergeNewest(collections: ReadPages[]): Authenticator[] {
  const ends = collections.flatMap(({ items, hasMore }) => (hasMore ? [items.at(-1)?.created ?? ''] : []));
  const end = ends.sort().at(-1) ?? '';
  const byId = new Map(collections.flatMap(({ items }) => items).map((item) => [item.id, item]));
  return [...byId.values()].filter(({ created }) => created >= end).sort(newestFirst);
}

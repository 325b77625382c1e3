import { type Authenticator, newestFirst, PER_PAGE } from '../../../lib/authenticator-records.ts';

/** What was read of one collection, newest first, and whether there is more. */
export type Read = { items: Authenticator[]; page: number; more: boolean };

export const NOTHING_READ: Read = { items: [], page: 0, more: true };

export const addPage = (read: Read, items: Authenticator[]): Read => ({
  items: [...read.items, ...items],
  page: read.page + 1,
  more: items.length >= PER_PAGE,
});

/**
 * Two collections as one list, newest first, each authenticator once. What is older than the end of a collection that
 * goes on waits: the next page may put something before it, and what is shown is not to move.
 */
export function newestOf(reads: Read[]): Authenticator[] {
  const ends = reads.flatMap(({ items, more }) => (more ? [items.at(-1)?.created ?? ''] : []));
  const end = ends.sort().at(-1) ?? '';
  const each = new Map(reads.flatMap(({ items }) => items).map((item) => [item.id, item]));
  return [...each.values()].filter(({ created }) => created >= end).sort(newestFirst);
}

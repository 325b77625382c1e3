import type { Entry } from './entry.ts';
import { PAGE_SIZE } from './read-log.ts';

/** The loaded part of the log: each entry once, newest first, and whether there may be older ones. */
export type Log = { entries: Entry[]; hasOlder: boolean };

/** More would make the page slow; the next ones have a page of their own. */
export const MOST_ROWS = 200;

/** A full page may have another one after it. */
export const firstPage = (entries: Entry[]): Log => ({ entries, hasOlder: entries.length >= PAGE_SIZE });

export const addOlder = (log: Log, page: Entry[]): Log => ({
  entries: merge(log.entries, page),
  hasOlder: page.length >= PAGE_SIZE,
});

export function addNewer(log: Log, added: Entry[]): Log {
  const entries = merge(log.entries, added);
  if (entries.length <= MOST_ROWS) return { ...log, entries };
  return { entries: entries.slice(0, MOST_ROWS), hasOlder: true };
}

/**
 * Adds the entries read after a reconnection. If a whole page of them is new, entries between that page and the log
 * may be missing, so the log starts over with that page.
 */
export function catchUp(log: Log, page: Entry[]): Log {
  const known = new Set(log.entries.map(({ id }) => id));
  const hasNoGap = page.length < PAGE_SIZE || page.some(({ id }) => known.has(id));
  return hasNoGap ? addNewer(log, page) : firstPage(page);
}

function merge(entries: Entry[], others: Entry[]): Entry[] {
  const known = new Set(entries.map(({ id }) => id));
  const added = others.filter(({ id }) => !known.has(id));
  return added.length === 0 ? entries : [...entries, ...added].sort(newestFirst);
}

const newestFirst = (a: Entry, b: Entry) => (`${a.at} ${a.id}` < `${b.at} ${b.id}` ? 1 : -1);

import type { Entry } from './entry.ts';
import { LOG_PAGE } from './read-log.ts';

/** What is shown of the log: newest first, each entry once, and whether there are older ones. */
export type Log = { entries: Entry[]; older: boolean };

/** A page that is full may have one after it. */
export const firstPage = (entries: Entry[]): Log => ({ entries, older: entries.length >= LOG_PAGE });

export const addOlder = (log: Log, page: Entry[]): Log => ({
  entries: merge(log.entries, page),
  older: page.length >= LOG_PAGE,
});

export const addNewer = (log: Log, entries: Entry[]): Log => ({
  ...log,
  entries: merge(log.entries, entries),
});

/**
 * What was read after the connection had dropped. Where a whole page is new, there may be a gap behind it: the log
 * begins anew with that page.
 */
export function catchUp(log: Log, page: Entry[]): Log {
  const known = new Set(log.entries.map(({ id }) => id));
  const joins = page.length < LOG_PAGE || page.some(({ id }) => known.has(id));
  return joins ? addNewer(log, page) : firstPage(page);
}

function merge(entries: Entry[], others: Entry[]): Entry[] {
  const known = new Set(entries.map(({ id }) => id));
  const added = others.filter(({ id }) => !known.has(id));
  return added.length === 0 ? entries : [...entries, ...added].sort(newestFirst);
}

const newestFirst = (a: Entry, b: Entry) => (`${a.at} ${a.id}` < `${b.at} ${b.id}` ? 1 : -1);

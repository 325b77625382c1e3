import { useCallback, useEffect, useRef, useState } from 'react';
import { personText } from '../../../../../src/contract/activity-words.ts';
import { type RecordStore, useRecordStore } from '../../../lib/record-store.ts';
import { useLoaded } from '../../../lib/use-client.ts';
import type { Position } from '../position.ts';
import { useNextPage } from '../show-more.tsx';
import { type Entry, type RawEntry, readEntry } from './entry.ts';
import { plainEntryText } from './entry-text.ts';
import type { LogFilters } from './filters.ts';
import {
  ACTIVITIES,
  EXPAND_PERSON,
  type LogQuery,
  PAGE_SIZE,
  readNewer,
  readOlder,
  resolveFilters,
  storeFilter,
} from './read-log.ts';

type State = Log & { query: LogQuery };

/**
 * The log of an organization (by its record id), kept up to date unless it begins `before` an entry. While other
 * filters are applied, `shown` are the entries of the last ones. `announcement` is the newest live entry as a text for
 * screen readers.
 */
export function useLog(org: string, filters: LogFilters, before: Position | null) {
  const { person, kind, repository, from, to } = filters;
  const store = useRecordStore();
  const [announcement, setAnnouncement] = useState('');

  const load = useCallback(async (): Promise<State> => {
    const query = await resolveFilters(store, org, { person, kind, repository, from, to });
    return { query, ...firstPage(await readOlder(store, query, before)) };
  }, [store, org, person, kind, repository, from, to, before]);
  const { loaded, setLoaded, reload } = useLoaded(load);
  const state = loaded.status === 'ok' ? loaded.value : null;
  const last = useRef<State | null>(null);
  if (loaded.status !== 'awaiting') last.current = state;

  // An answer to an earlier query arrives too late.
  const update = (query: LogQuery, change: (log: Log) => Log) =>
    setLoaded((now) =>
      now.status === 'ok' && now.value.query === query
        ? { ...now, value: { query, ...change(now.value) } }
        : now,
    );

  const readMissed = async ({ query, entries }: State) => {
    const newest = entries[0]?.at;
    const page = await (newest ? readNewer(store, query, newest) : readOlder(store, query));
    update(query, (log) => catchUp(log, page));
  };
  useLiveEntries(state && !before ? storeFilter(store, state.query) : null, {
    onEntry: (entry) => {
      if (state) update(state.query, (log) => addNewer(log, [entry]));
      setAnnouncement(announce(entry));
    },
    // A failure needs no error on the page: the next connection reads the missed entries again.
    onConnected: () => void (state && readMissed(state).catch(() => undefined)),
  });

  const olderPage = useNextPage(async () => {
    if (!state) return;
    const page = await readOlder(store, state.query, state.entries.at(-1));
    update(state.query, (log) => addOlder(log, page));
  });

  return { loaded, shown: state ?? last.current, reload, olderPage, announcement };
}

const announce = (entry: Entry) => `New: ${personText(entry)} ${plainEntryText(entry)}`;

const RETRY_MS = 30_000;

type Handlers = {
  onEntry: (entry: Entry) => void;
  /** Called on every connection: entries added before it were missed. */
  onConnected: () => void;
};

/** Calls `onEntry` for each new entry that passes the store's filter, until the page is left. Null subscribes to none. */
function useLiveEntries(filter: string | null, handlers: Handlers): void {
  const store = useRecordStore();
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });

  useEffect(() => {
    if (filter === null) return;
    return subscribe(store, filter, {
      onEntry: (entry) => latest.current.onEntry(entry),
      onConnected: () => latest.current.onConnected(),
    });
  }, [store, filter]);
}

/**
 * Returns a function that ends the subscription. The client reconnects automatically after its first connection; until
 * then, this function retries.
 */
function subscribe(store: RecordStore, filter: string, { onEntry, onConnected }: Handlers): () => void {
  let isOver = false;
  let isLive = false;
  let retryTimer: number | undefined;
  let unsubscribers: (() => Promise<void>)[] = [];
  const unsubscribe = () => {
    for (const end of unsubscribers) void end().catch(() => undefined);
    unsubscribers = [];
  };

  const connect = async () => {
    const results = await Promise.allSettled([
      store.realtime.subscribe('PB_CONNECT', () => isLive && !isOver && onConnected()),
      store.collection<RawEntry>(ACTIVITIES).subscribe(
        '*',
        ({ action, record }) => {
          if (action === 'create' && !isOver) onEntry(readEntry(record));
        },
        { filter, expand: EXPAND_PERSON },
      ),
    ]);
    unsubscribers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    if (isOver) return unsubscribe();
    isLive = results.every(({ status }) => status === 'fulfilled');
    if (isLive) return onConnected();
    unsubscribe();
    retryTimer = window.setTimeout(() => void connect(), RETRY_MS);
  };

  void connect();
  return () => {
    isOver = true;
    window.clearTimeout(retryTimer);
    unsubscribe();
  };
}

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

import { useEffect, useRef, useState } from 'react';
import { personText } from '../../../../../src/contract/events/log-text.ts';
import { type RecordStore, useRecordStore } from '../../../lib/react/record-store.ts';
import { useList } from '../list/use-list.ts';
import { type Entry, type RawEntry, readEntry } from './entry.ts';
import { plainEntryText } from './entry-text.ts';
import type { LogFilters } from './filters.ts';
import {
  ACTIVITIES,
  EXPAND_PERSON,
  type LogQuery,
  PAGE_SIZE,
  type Position,
  readOlder,
  resolveFilters,
  storeFilter,
} from './read-log.ts';

/** A page of the log: the entries that a query matches, newest first. */
export type LogPage = { query: LogQuery; entries: Entry[]; next: Position | null };

/**
 * The log of an organization (by its record id), whose first page is kept up to date. `announcement` is the newest live
 * entry as a text for screen readers, and `notLive` says why the page isn't live; null if it is, or isn't meant to be.
 */
export function useLog(org: string, filters: LogFilters) {
  const store = useRecordStore();
  const [announcement, setAnnouncement] = useState('');
  const [notLive, setNotLive] = useState<string | null>(null);
  const list = useList<LogPage>(['log', org, filters], async (before) => {
    const query = await resolveFilters(store, org, filters);
    const entries = await readOlder(store, query, before);
    // A full page may have another one after it.
    return { query, entries, next: entries.length < PAGE_SIZE ? null : (entries.at(-1) ?? null) };
  });
  const live = list.pageNumber === 1 ? list.answer : null;
  useLiveEntries(live && storeFilter(store, live.query), {
    onChange: list.refresh,
    onEntry: (entry) => setAnnouncement(`New: ${personText(entry)} ${plainEntryText(entry)}`),
    onConnection: setNotLive,
  });
  return { list, announcement, notLive: live && notLive };
}

const RETRY_MS = 30_000;
/** Many entries in so short a time are read together. */
const PAUSE_MS = 200;

type Handlers = {
  /** There may be new entries. */
  onChange: () => void;
  onEntry: (entry: Entry) => void;
  /** Null if the connection is there, else why it isn't. */
  onConnection: (failure: string | null) => void;
};

const TOO_LONG = 'EventSource connect took too long.';
const FAILED = 'Failed to establish realtime connection.';

/** The client wraps what happened. */
const failureOf = (error: unknown) => {
  const { originalError } = (error ?? {}) as { originalError?: { message?: string } };
  return originalError?.message === TOO_LONG ? TOO_LONG : FAILED;
};

/** Says when entries that pass the store's filter are new, until the page is left. Null subscribes to none. */
function useLiveEntries(filter: string | null, handlers: Handlers): void {
  const store = useRecordStore();
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });

  useEffect(() => {
    if (filter === null) return;
    let timer: number | undefined;
    const change = () => {
      timer = undefined;
      latest.current.onChange();
    };
    const end = subscribe(store, filter, {
      onChange: () => {
        timer ??= window.setTimeout(change, PAUSE_MS);
      },
      onEntry: (entry) => latest.current.onEntry(entry),
      onConnection: (failure) => latest.current.onConnection(failure),
    });
    return () => {
      window.clearTimeout(timer);
      end();
    };
  }, [store, filter]);
}

/**
 * Returns a function that ends the subscription. The client reconnects automatically after its first connection; until
 * then, this function retries. Entries that were added before a connection were missed, so each one is a change.
 */
function subscribe(
  store: RecordStore,
  filter: string,
  { onChange, onEntry, onConnection }: Handlers,
): () => void {
  let isOver = false;
  let isLive = false;
  let retryTimer: number | undefined;
  let unsubscribers: (() => Promise<void>)[] = [];
  const unsubscribe = () => {
    for (const end of unsubscribers) void end().catch(() => undefined);
    unsubscribers = [];
  };

  const onConnect = () => {
    if (!isLive || isOver) return;
    onConnection(null);
    onChange();
  };
  // The client keeps its topics over an interruption, and has none once it's asked to end.
  store.realtime.onDisconnect = (topics) => {
    if (isLive && !isOver && topics.length > 0) onConnection(FAILED);
  };

  const connect = async () => {
    const results = await Promise.allSettled([
      store.realtime.subscribe('PB_CONNECT', onConnect),
      store.collection<RawEntry>(ACTIVITIES).subscribe(
        '*',
        ({ action, record }) => {
          if (action !== 'create' || isOver) return;
          onChange();
          onEntry(readEntry(record));
        },
        { filter, expand: EXPAND_PERSON },
      ),
    ]);
    unsubscribers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    if (isOver) return unsubscribe();
    isLive = results.every(({ status }) => status === 'fulfilled');
    if (isLive) return onConnect();
    unsubscribe();
    onConnection(failureOf(results.find((result) => result.status === 'rejected')?.reason));
    retryTimer = window.setTimeout(() => void connect(), RETRY_MS);
  };

  void connect();
  return () => {
    isOver = true;
    window.clearTimeout(retryTimer);
    unsubscribe();
  };
}

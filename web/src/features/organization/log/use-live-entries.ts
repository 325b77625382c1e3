import { useEffect, useRef } from 'react';
import { type RecordStore, useRecordStore } from '../../../lib/record-store.ts';
import { type Entry, type RawEntry, readEntry } from './entry.ts';
import { ACTIVITIES, EXPAND_PERSON } from './read-log.ts';

const RETRY_MS = 30_000;

type Handlers = {
  onEntry: (entry: Entry) => void;
  /** Called on every connection: entries added before it were missed. */
  onConnected: () => void;
};

/** Calls `onEntry` for each new entry that passes the store's filter, until the page is left. Null subscribes to none. */
export function useLiveEntries(filter: string | null, handlers: Handlers): void {
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
 * Returns a function that ends the subscription. The client reconnects by itself after its first connection; until
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

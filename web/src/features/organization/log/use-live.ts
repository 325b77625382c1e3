import { useEffect, useRef } from 'react';
import type { RecordStore } from '../../../lib/record-store.ts';
import { useClient } from '../../../lib/use-client.ts';
import { type Entry, type RawEntry, readEntry } from './entry.ts';
import { ACTIVITIES, EXPAND_PERSON } from './read-log.ts';

const TRY_AGAIN_MS = 30_000;

type Hear = {
  /** An entry was added. */
  onEntry: (entry: Entry) => void;
  /** Listening has begun, or begun again: what was added before that has not been heard. */
  onConnected: () => void;
};

/** Hears of each new entry that the filter lets through, as long as the page is there. */
export function useLive(filter: string | null, hear: Hear): void {
  const { store } = useClient();
  const latest = useRef(hear);
  useEffect(() => {
    latest.current = hear;
  });

  useEffect(() => {
    if (filter === null) return;
    return listen(store, filter, {
      onEntry: (entry) => latest.current.onEntry(entry),
      onConnected: () => latest.current.onConnected(),
    });
  }, [store, filter]);
}

/** Returns what ends it. The client connects again by itself once it was connected; before that, this does. */
function listen(store: RecordStore, filter: string, { onEntry, onConnected }: Hear): () => void {
  let over = false;
  let live = false;
  let timer: number | undefined;
  let leave: (() => Promise<void>)[] = [];
  const end = () => {
    for (const one of leave) void one().catch(() => undefined);
    leave = [];
  };

  const begin = async () => {
    const begun = await Promise.allSettled([
      store.realtime.subscribe('PB_CONNECT', () => live && !over && onConnected()),
      store.collection<RawEntry>(ACTIVITIES).subscribe(
        '*',
        ({ action, record }) => {
          if (action === 'create' && !over) onEntry(readEntry(record));
        },
        { filter, expand: EXPAND_PERSON },
      ),
    ]);
    leave = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    if (over) return end();
    live = begun.every(({ status }) => status === 'fulfilled');
    if (live) return onConnected();
    end();
    timer = window.setTimeout(() => void begin(), TRY_AGAIN_MS);
  };

  void begin();
  return () => {
    over = true;
    window.clearTimeout(timer);
    end();
  };
}

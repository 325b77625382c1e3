import { useCallback, useState } from 'react';
import { useClient } from '../../../lib/use-client.ts';
import { useLoaded } from '../../../lib/use-loaded.ts';
import { useMore } from '../use-more.ts';
import type { Entry } from './entry.ts';
import { addNewer, addOlder, catchUp, firstPage, type Log } from './log.ts';
import type { LogFilter } from './log-filter.ts';
import { readNewer, readOlder, resolveFilter, type Wanted, wantedFilter } from './read-log.ts';
import { plain, sentence } from './sentence.ts';
import { useLive } from './use-live.ts';

type State = Log & { wanted: Wanted };

/** The log of an organization (by its record id) as it is now and as it grows, and the way to older entries. */
export function useLog(org: string, { person, kind }: LogFilter) {
  const { store } = useClient();
  const [heard, setHeard] = useState('');

  const load = useCallback(async (): Promise<State> => {
    const wanted = await resolveFilter(store, org, { person, kind });
    return { wanted, ...firstPage(await readOlder(store, wanted)) };
  }, [store, org, person, kind]);
  const { loaded, setLoaded, reload } = useLoaded(load);
  const state = loaded.status === 'ok' ? loaded.value : null;

  // What was asked for another filter comes too late.
  const change = (wanted: Wanted, next: (log: Log) => Log) =>
    setLoaded((now) =>
      now.status === 'ok' && now.value.wanted === wanted
        ? { ...now, value: { wanted, ...next(now.value) } }
        : now,
    );

  const catchUpNow = async ({ wanted, entries }: State) => {
    const newest = entries[0]?.at;
    const page = await (newest ? readNewer(store, wanted, newest) : readOlder(store, wanted));
    change(wanted, (log) => catchUp(log, page));
  };
  useLive(state && wantedFilter(store, state.wanted), {
    onEntry: (entry) => {
      if (state) change(state.wanted, (log) => addNewer(log, [entry]));
      setHeard(announcement(entry));
    },
    // What is shown stays true without it, and the next connection tries again.
    onConnected: () => void (state && catchUpNow(state).catch(() => undefined)),
  });

  const older = useMore(async () => {
    if (!state) return;
    const page = await readOlder(store, state.wanted, state.entries.at(-1));
    change(state.wanted, (log) => addOlder(log, page));
  });

  return { loaded, reload, older, heard };
}

const announcement = (entry: Entry) => `New: ${entry.login || 'Somebody'} ${plain(sentence(entry))}`;

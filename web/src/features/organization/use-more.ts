import { useState } from 'react';
import { storeSentence, storeStatus } from '../../lib/record-store.ts';
import { useClient } from '../../lib/use-client.ts';

/** How far the loading of a next page is. */
export type MoreState = { busy: boolean; error: string | null; run: () => void };

/** Loads more at the press of a button, one page at a time; `load` puts what it brought where it belongs. */
export function useMore(load: () => Promise<void>): MoreState {
  const { session } = useClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      await load();
    } catch (cause) {
      if (storeStatus(cause) === 401) session.leave(storeSentence(cause));
      else setError(storeSentence(cause));
    }
    setBusy(false);
  };

  return { busy, error, run: () => void run() };
}

import { useCallback, useEffect, useState } from 'react';
import { ApiError } from './api-client.ts';
import { storeSentence, storeStatus } from './store-errors.ts';
import { useBackOnline } from './use-back-online.ts';
import { useClient } from './use-client.ts';

/** A value that is loading, loaded, or refused with a status (0 if there was no answer) and a sentence. */
export type Loaded<T> =
  | { status: 'awaiting' }
  | { status: 'ok'; value: T }
  | { status: 'failed'; code: number; text: string };

/** Loads when the page opens, again on `reload`, and after a failure when the browser is back online. `load` must keep its identity between renders. */
export function useLoaded<T>(load: () => Promise<T>) {
  const [loaded, setLoaded] = useState<Loaded<T>>({ status: 'awaiting' });
  const { session } = useClient();

  const run = useCallback(
    async (isUnmounted: () => boolean) => {
      setLoaded({ status: 'awaiting' });
      try {
        const value = await load();
        if (!isUnmounted()) setLoaded({ status: 'ok', value });
      } catch (error) {
        if (isUnmounted()) return;
        const code = error instanceof ApiError ? error.status : storeStatus(error);
        if (code === 401) session.signOut(storeSentence(error));
        else setLoaded({ status: 'failed', code, text: storeSentence(error) });
      }
    },
    [load, session],
  );

  useEffect(() => {
    let unmounted = false;
    void run(() => unmounted);
    return () => {
      unmounted = true;
    };
  }, [run]);

  const reload = () => void run(() => false);
  useBackOnline(loaded.status === 'failed' && loaded.code === 0 ? reload : null);
  return { loaded, setLoaded, reload };
}

import { useCallback, useEffect, useState } from 'react';
import { storeSentence, storeStatus } from '../../lib/record-store.ts';
import { useClient } from '../../lib/use-client.ts';

/** Something of the record store: on its way, here, or refused with a status and a sentence. */
export type Loaded<T> =
  | { status: 'awaiting' }
  | { status: 'ok'; value: T }
  | { status: 'failed'; code: number; text: string };

/** Loads when the page begins, and again on `reload`. `load` must not change from one render to the next. */
export function useLoaded<T>(load: () => Promise<T>) {
  const [loaded, setLoaded] = useState<Loaded<T>>({ status: 'awaiting' });
  const { session } = useClient();

  const run = useCallback(
    async (isOver: () => boolean) => {
      setLoaded({ status: 'awaiting' });
      try {
        const value = await load();
        if (!isOver()) setLoaded({ status: 'ok', value });
      } catch (error) {
        if (isOver()) return;
        const code = storeStatus(error);
        if (code === 401) session.leave(storeSentence(error));
        else setLoaded({ status: 'failed', code, text: storeSentence(error) });
      }
    },
    [load, session],
  );

  useEffect(() => {
    let over = false;
    void run(() => over);
    return () => {
      over = true;
    };
  }, [run]);

  return { loaded, setLoaded, reload: () => void run(() => false) };
}

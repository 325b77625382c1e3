import { useCallback, useEffect, useState } from 'react';
import { ApiError } from './api-client.ts';
import { storeSentence, storeStatus } from './record-store.ts';
import { useClient } from './use-client.ts';

/** Something from outside: on its way, here, or refused with a status (0 where no answer came) and a sentence. */
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
        const code = error instanceof ApiError ? error.status : storeStatus(error);
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

import { useCallback, useEffect, useState } from 'react';
import type { ProblemCode } from '../../../src/contract/problems.ts';
import { codeOf, SIGNED_OUT, sentenceOf } from './api-client.ts';
import { useBackOnline } from './use-back-online.ts';
import { useClient } from './use-client.ts';

/** A value that is loading, loaded, or refused with a code (null if there was no answer) and a sentence. */
export type Loaded<T> =
  | { status: 'awaiting' }
  | { status: 'ok'; value: T }
  | { status: 'failed'; code: ProblemCode | null; text: string };

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
        const [code, text] = [codeOf(error), sentenceOf(error)];
        if (SIGNED_OUT.includes(code)) session.signOut(text);
        else setLoaded({ status: 'failed', code, text });
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
  useBackOnline(loaded.status === 'failed' && loaded.code === null ? reload : null);
  return { loaded, setLoaded, reload };
}

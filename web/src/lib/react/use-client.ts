import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { useLocation } from 'react-router-dom';
import type { BodyOf, CallPath } from '../../../../src/contract/calls.ts';
import type { ProblemCode } from '../../../../src/contract/problems.ts';
import { type PageContext, readPageContext } from '../address/page-context.ts';
import { codeOf, NO_ANSWER, SIGNED_OUT, sentenceOf } from '../api/api-client.ts';
import type { Client } from '../session/client.ts';
import type { SessionState } from '../session/session.ts';
import type { User } from '../session/user.ts';
import { useBackOnline } from './use-back-online.ts';

/** Null if the client doesn't exist. */
export const ClientContext = createContext<Client | null>(null);

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error('Missing context for auth');
  return client;
}

export function useSessionState(): SessionState {
  const { session } = useClient();
  return useSyncExternalStore(session.subscribe, session.getState);
}

/** Why the session couldn't be refreshed. */
export function useSessionProblem(): string {
  const state = useSessionState();
  return (state.status === 'signed-in' && state.problem) || NO_ANSWER;
}

/** The signed-in person. Throws if nobody is, so only pages that need a session may use it. */
export function useUser(): User {
  const state = useSessionState();
  if (state.status !== 'signed-in') throw new Error('Missing context for auth');
  return state.user;
}

/** The page's query parameters. */
export function usePageContext(): PageContext {
  const { search } = useLocation();
  return useMemo(() => readPageContext(search), [search]);
}

/** A value that is loading, loaded, or refused with a code (null if there was no answer) and a sentence. */
export type Loaded<T> =
  | { status: 'awaiting' }
  | { status: 'ok'; value: T }
  | { status: 'failed'; code: ProblemCode | null; text: string };

/** The answer of a call, loaded as `useLoaded` does. Another `body` is another call. */
export function useAnswer<Path extends CallPath>(path: Path, body: BodyOf<Path>) {
  const { api } = useClient();
  const sent = JSON.stringify(body);
  return useLoaded(useCallback(() => api.post(path, JSON.parse(sent)), [api, path, sent]));
}

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

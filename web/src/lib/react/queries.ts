import {
  notifyManager,
  QueryCache,
  QueryClient,
  type UseQueryOptions,
  useQuery,
} from '@tanstack/react-query';
import type { AnswerOf, BodyOf, CallPath } from '../../../../src/contract/calls.ts';
import { codeOf, SIGNED_OUT, sentenceOf } from '../api/api-client.ts';
import type { Client } from '../session/client.ts';
import { useBackOnline } from './use-back-online.ts';
import { type Loaded, useClient } from './use-client.ts';

// By default a page would render a moment later, in a timer.
notifyManager.setScheduler(queueMicrotask);

const caches = new WeakMap<Client, QueryClient>();

/**
 * What pages have read. A page reads when it opens, and never shows what an earlier page read. Nothing is asked a second
 * time automatically, because calls are limited and many cost requests to GitHub. Leaving the page ends the request.
 */
export function cacheOf(client: Client): QueryClient {
  const known = caches.get(client);
  if (known) return known;
  const queryCache = new QueryCache({
    onError: (error, { state }) => {
      const isShown = state.data === undefined;
      if (isShown && SIGNED_OUT.includes(codeOf(error))) client.session.signOut(sentenceOf(error));
    },
  });
  const queries = {
    ...{ gcTime: 0, retry: false, networkMode: 'always' as const },
    ...{ refetchOnWindowFocus: false, refetchOnReconnect: false },
  };
  const cache = new QueryClient({ queryCache, defaultOptions: { queries } });
  cache.mount();
  caches.set(client, cache);
  return cache;
}

/** The library's options about when to read, and to read again. */
export type When<T> = Pick<UseQueryOptions<T>, 'enabled' | 'refetchInterval' | 'refetchOnWindowFocus'>;
type Load<T> = (signal: AbortSignal) => Promise<T>;

/** Loads when the page opens, and after a failure when the browser is back online. Another key is something else to load. */
export function useLoaded<T>(queryKey: readonly unknown[], load: Load<T>, when: When<T> = {}) {
  const cache = cacheOf(useClient());
  const { data, error, isLoadingError, refetch } = useQuery<T>(
    { ...when, queryKey, queryFn: ({ signal }) => load(signal) },
    cache,
  );
  let loaded: Loaded<T> = { status: 'awaiting' };
  if (data !== undefined) loaded = { status: 'ok', value: data };
  else if (isLoadingError) loaded = { status: 'failed', code: codeOf(error), text: sentenceOf(error) };
  const query = { queryKey, exact: true };
  /** Loads it again, with a placeholder in its place. */
  const reload = () => void cache.resetQueries(query);
  useBackOnline(loaded.status === 'failed' && loaded.code === null ? reload : null);
  return {
    loaded,
    reload,
    /** Loads it again without saying so. If that fails, the page stays as it is. */
    refresh: refetch,
    /** Replaces the value, if it's there. An answer that is under way would be older. */
    change: (next: (value: T) => T) => {
      void cache.cancelQueries(query);
      cache.setQueryData<T>(queryKey, (value) => value && next(value));
    },
  };
}

/** The answer of a call, loaded as `useLoaded` does. Another `body` is another call. */
export function useAnswer<Path extends CallPath>(
  path: Path,
  body: BodyOf<Path>,
  when?: When<AnswerOf<Path>>,
) {
  const { api } = useClient();
  return useLoaded<AnswerOf<Path>>([path, body], (signal) => api.post(path, body, signal), when);
}

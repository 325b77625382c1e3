import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import type { ProblemCode } from '../../../../src/contract/problems.ts';
import { type PageContext, readPageContext } from '../address/page-context.ts';
import type { PageState } from '../address/page-state.ts';
import { NO_ANSWER } from '../api/api-client.ts';
import type { Client } from '../session/client.ts';
import type { SessionState } from '../session/session.ts';
import type { User } from '../session/user.ts';

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

/** What the previous page told this one. */
export const usePageState = (): PageState => useLocation().state ?? {};

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

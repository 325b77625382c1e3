import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { NO_ANSWER } from './api-client.ts';
import type { Client } from './client.ts';
import { type PageContext, readPageContext } from './page-context.ts';
import type { SessionState } from './session.ts';
import type { User } from './user.ts';

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

/** A part of the session's state, which must keep its identity while it's the same: only its changes render. */
export function useSession<Part>(pick: (state: SessionState) => Part): Part {
  const { session } = useClient();
  return useSyncExternalStore(session.subscribe, () => pick(session.getState()));
}

/** The signed-in person, or null. */
export const userOf = (state: SessionState): User | null =>
  state.status === 'signed-in' ? state.user : null;

/** Why the session couldn't be refreshed. */
export const useSessionProblem = (): string =>
  useSession((state) => (state.status === 'signed-in' && state.problem) || NO_ANSWER);

/** The signed-in person. Throws if nobody is, so only pages that need a session may use it. */
export function useUser(): User {
  const user = useSession(userOf);
  if (!user) throw new Error('Missing context for auth');
  return user;
}

/** The page's query parameters. */
export function usePageContext(): PageContext {
  const { search } = useLocation();
  return useMemo(() => readPageContext(search), [search]);
}

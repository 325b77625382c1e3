import { ACCEPT, ApiError, ENDED, receive, SIGNED_OUT } from './api-client.ts';
import type { AuthStore } from './auth-store.ts';
import { clearLocal, type KeyValueStore, readAccessToken } from './local-store.ts';
import { readUser, type User } from './user.ts';

export const USERS = 'gh_users';
export const EXPAND_MEMBERSHIPS = 'org_members_via_user.org';

export type SessionState =
  /** `notice` says why the person has to sign in again, if there is a reason. */
  | { status: 'signed-out'; notice: string | null }
  /** `fresh` says whether the record store has confirmed the record since the page loaded, and `problem` why it hasn't. */
  | { status: 'signed-in'; user: User; fresh: 'pending' | 'yes' | 'failed'; problem?: string };

export type Session = {
  getState(): SessionState;
  subscribe(listener: () => void): () => void;
  /** The record store's token, for the `Authorization` header. */
  token(): string;
  /** GitHub's token. If it has expired, signs the person out and returns the empty string. */
  accessToken(): string;
  /** Reads the person's record again. Never rejects: the outcome is in the state. */
  refresh(): Promise<void>;
  /** Whether nobody has signed in or out on this page since it loaded. */
  isAsOpened(): boolean;
  /** Starts the session that sign-in has just saved. */
  enter(): void;
  /** Signs out in this browser only. The person stays on the page and reads why. */
  signOut(notice: string | null): void;
};

type Deps = { auth: AuthStore; local: KeyValueStore; fetch: typeof fetch; now: () => number };

/**
 * Knows who is signed in: a person whose record-store session is valid *and* whose GitHub token hasn't expired. Starts
 * with what local storage holds, so that a page can render before the network answers.
 */
export function createSession({ auth, local, fetch, now }: Deps): Session {
  const listeners = new Set<() => void>();
  const readStored = (fresh: 'pending' | 'yes'): SessionState =>
    auth.isValid && auth.record && readAccessToken(local, now())
      ? { status: 'signed-in', user: readUser(auth.record), fresh }
      : { status: 'signed-out', notice: auth.token ? ENDED : null };
  const opened = readStored('pending');
  let state = opened;

  const setState = (next: SessionState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const signOut = (notice: string | null) => {
    auth.clear();
    clearLocal(local);
    setState({ status: 'signed-out', notice });
  };
  // Also called after a storage event, so a logout in another tab ends this session too.
  auth.onChange(() => {
    if (!auth.isValid && state.status === 'signed-in') setState({ status: 'signed-out', notice: null });
  });

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    token: () => auth.token,
    accessToken() {
      const token = readAccessToken(local, now());
      if (!token && state.status === 'signed-in') signOut(ENDED);
      return token ?? '';
    },
    async refresh() {
      if (state.status !== 'signed-in') return;
      setState({ ...state, fresh: 'pending' });
      const { token } = auth;
      const answer = await fetchRefresh(fetch, token).catch((error: ApiError) => error);
      // The person may have logged out since, here or in another tab.
      if (auth.token !== token) return;
      if ('record' in answer) {
        auth.save(answer.token, answer.record);
        setState(readStored('yes'));
      } else if (SIGNED_OUT.includes(answer.code)) signOut(ENDED);
      else setState({ ...state, fresh: 'failed', problem: answer.message });
    },
    isAsOpened: () => state === opened,
    enter: () => setState(readStored('yes')),
    signOut,
  };
}

type Refreshed = { token: string; record: Record<string, unknown> };

/** Resolves to the person's record and a new token. Rejects with an `ApiError`. */
async function fetchRefresh(send: typeof fetch, token: string): Promise<Refreshed> {
  const path = `/api/collections/${USERS}/auth-refresh?expand=${EXPAND_MEMBERSHIPS}`;
  const request = { method: 'POST', headers: { Accept: ACCEPT, Authorization: token } };
  const answer = (await receive(() => send(path, request))) as Partial<Refreshed>;
  if (!answer.token || !answer.record) throw new ApiError();
  return { token: answer.token, record: answer.record };
}

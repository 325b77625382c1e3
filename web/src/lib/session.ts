import { clearLocal, type KeyValueStore, readAccessToken } from './local-store.ts';
import { isSessionOver, type RecordStore } from './record-store.ts';
import { readUser, type User } from './user.ts';

export const USERS = 'gh_users';
export const EXPAND_MEMBERSHIPS = 'org_members_via_user.org';

export type SessionState =
  /** `notice` says why the person has to sign in again. */
  | { status: 'signed-out'; notice: string | null }
  /** `fresh` is whether the record store has confirmed the record since the page was loaded. */
  | { status: 'signed-in'; user: User; fresh: 'pending' | 'yes' | 'failed' };

export type Session = {
  getState(): SessionState;
  subscribe(listener: () => void): () => void;
  /** The record store's token, for the `Authorization` header. */
  token(): string;
  /** GitHub's token; empty, and the person signed out, when it is over. */
  accessToken(): string;
  /** Reads the person's record anew. Never rejects: the outcome is in the state. */
  refresh(): Promise<void>;
  /** Takes up what sign-in has just put into the stores. */
  enter(): void;
  /** Signs out on this device alone; the person stays where they are and reads why. */
  leave(notice: string | null): void;
};

type Deps = { store: RecordStore; local: KeyValueStore; now: () => number };

/**
 * Who is signed in: the record store's session is valid *and* GitHub's token is there and within its eight hours.
 * Starts with what local storage holds, so that a page can show itself before the network answers.
 */
export function createSession({ store, local, now }: Deps): Session {
  const listeners = new Set<() => void>();
  const stored = (fresh: 'pending' | 'yes'): SessionState =>
    store.authStore.isValid && store.authStore.record && readAccessToken(local, now())
      ? { status: 'signed-in', user: readUser(store.authStore.record), fresh }
      : { status: 'signed-out', notice: null };
  let state = stored('pending');

  const set = (next: SessionState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const leave = (notice: string | null) => {
    store.authStore.clear();
    clearLocal(local);
    set({ status: 'signed-out', notice });
  };
  // Another tab signed in or out: the client hears of it through the storage event.
  store.authStore.onChange(() => {
    if (!store.authStore.isValid && state.status === 'signed-in') set({ status: 'signed-out', notice: null });
  });

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    token: () => store.authStore.token,
    accessToken() {
      const token = readAccessToken(local, now());
      if (!token && state.status === 'signed-in') leave('Your sign-in has expired.');
      return token ?? '';
    },
    async refresh() {
      if (state.status !== 'signed-in') return;
      set({ ...state, fresh: 'pending' });
      try {
        await store.collection(USERS).authRefresh({ expand: EXPAND_MEMBERSHIPS });
        set(stored('yes'));
      } catch (error) {
        if (isSessionOver(error)) leave(null);
        else if (state.status === 'signed-in') set({ ...state, fresh: 'failed' });
      }
    },
    enter: () => set(stored('yes')),
    leave,
  };
}

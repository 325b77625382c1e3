import { ACCEPT, ApiError, ENDED, receive, SIGNED_OUT } from '../api/api-client.ts';
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
  /** Tells whether nobody has signed in or out on this page since it loaded. */
  isAsOpened(): boolean;
  /** Starts the session that a sign-in has just begun. */
  enter(begun: Refreshed): void;
  /** Signs out in this browser only. The person stays on the page and reads why. */
  signOut(notice: string | null): void;
};

/** The record store's token, and the person's record. */
type Refreshed = { token: string; record: Record<string, unknown> };

type Deps = {
  local: KeyValueStore;
  window: Pick<Window, 'addEventListener'>;
  fetch: typeof fetch;
  now: () => number;
};

/** The key of local storage under which the record store's client keeps the same. */
const AUTH_KEY = 'pocketbase_auth';

/**
 * Knows who is signed in: a person whose record-store session is valid *and* whose GitHub token hasn't expired. Starts
 * with what local storage holds, so that a page can render before the network answers.
 */
export function createSession({ local, window, fetch, now }: Deps): Session {
  const listeners = new Set<() => void>();
  const readStored = (fresh: 'pending' | 'yes'): SessionState => {
    const { token, record } = readAuth(local);
    return isLive(token) && record && readAccessToken(local, now())
      ? { status: 'signed-in', user: readUser(record), fresh }
      : { status: 'signed-out', notice: token ? ENDED : null };
  };
  const opened = readStored('pending');
  let state = opened;

  const setState = (next: SessionState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const enter = (begun: Refreshed) => {
    local.setItem(AUTH_KEY, JSON.stringify(begun));
    setState(readStored('yes'));
  };
  const signOut = (notice: string | null) => {
    local.removeItem(AUTH_KEY);
    clearLocal(local);
    setState({ status: 'signed-out', notice });
  };
  // A logout in another tab ends this session too.
  window.addEventListener('storage', () => {
    if (!isLive(readAuth(local).token) && state.status === 'signed-in')
      setState({ status: 'signed-out', notice: null });
  });

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    token: () => readAuth(local).token,
    accessToken() {
      const token = readAccessToken(local, now());
      if (!token && state.status === 'signed-in') signOut(ENDED);
      return token ?? '';
    },
    async refresh() {
      if (state.status !== 'signed-in') return;
      setState({ ...state, fresh: 'pending' });
      const { token } = readAuth(local);
      const answer = await fetchRefresh(fetch, token).catch((error: ApiError) => error);
      // The person may have logged out since, here or in another tab.
      if (readAuth(local).token !== token) return;
      if ('record' in answer) enter(answer);
      else if (SIGNED_OUT.includes(answer.code)) signOut(ENDED);
      else setState({ ...state, fresh: 'failed', problem: answer.message });
    },
    isAsOpened: () => state === opened,
    enter,
    signOut,
  };
}

/** Resolves to the person's record and a new token. Rejects with an `ApiError`. */
async function fetchRefresh(send: typeof fetch, token: string): Promise<Refreshed> {
  const path = `/api/collections/${USERS}/auth-refresh?expand=${EXPAND_MEMBERSHIPS}`;
  const request = { method: 'POST', headers: { Accept: ACCEPT, Authorization: token } };
  const answer = (await receive(() => send(path, request))) as Partial<Refreshed>;
  if (!answer.token || !answer.record) throw new ApiError();
  return { token: answer.token, record: answer.record };
}

/** The stored session; empty if there is none, or if it can't be read. */
function readAuth(local: KeyValueStore): { token: string; record: Refreshed['record'] | null } {
  const stored = parse(local.getItem(AUTH_KEY) ?? '') as Partial<Refreshed> | null;
  return { token: stored?.token || '', record: stored?.record || null };
}

/** Tells whether a JSON Web Token hasn't expired by this browser's clock. Only the server checks its signature. */
function isLive(token: string): boolean {
  const [, payload = ''] = token.split('.');
  const { exp } = (parse(payload, fromBase64Url) as { exp?: unknown } | null) ?? {};
  return typeof exp === 'number' && exp * 1000 > Date.now();
}

const fromBase64Url = (text: string) => atob(text.replaceAll('-', '+').replaceAll('_', '/'));

function parse(text: string, decode = (encoded: string) => encoded): unknown {
  try {
    return JSON.parse(decode(text));
  } catch {
    return null;
  }
}

import type { KeyValueStore } from './local-store.ts';

/** The key of local storage that the record store's client uses too. */
const AUTH_KEY = 'pocketbase_auth';

type Stored = { token: string; record: Record<string, unknown> | null };

/** The record store's session. Its own client has one of the same shape, over the same key of local storage. */
export type AuthStore = {
  readonly token: string;
  readonly record: Record<string, unknown> | null;
  /** Whether the token hasn't expired. */
  readonly isValid: boolean;
  save(token: string, record?: Stored['record']): void;
  clear(): void;
  /** Calls the listener after each change, also in another tab. */
  onChange(listener: () => void): unknown;
};

/** Keeps the session without the record store's client, which is a tenth of the approval page. */
export function createAuthStore(local: KeyValueStore, window: Pick<Window, 'addEventListener'>): AuthStore {
  const listeners: (() => void)[] = [];
  const announce = () => {
    for (const listener of listeners) listener();
  };
  window.addEventListener('storage', ({ key }) => {
    if (key === AUTH_KEY || key === null) announce();
  });
  return {
    get token() {
      return readStored(local).token;
    },
    get record() {
      return readStored(local).record;
    },
    get isValid() {
      return isLive(readStored(local).token);
    },
    save(token, record = null) {
      local.setItem(AUTH_KEY, JSON.stringify({ token, record } satisfies Stored));
      announce();
    },
    clear() {
      local.removeItem(AUTH_KEY);
      announce();
    },
    onChange: (listener) => listeners.push(listener),
  };
}

/** The stored session; empty if there is none, or if it can't be read. */
function readStored(local: Pick<KeyValueStore, 'getItem'>): Stored {
  const stored = parse(local.getItem(AUTH_KEY) ?? '') as Partial<Stored> | null;
  return { token: stored?.token || '', record: stored?.record || null };
}

/** Whether a JSON Web Token hasn't expired by this browser's clock. Only the server checks its signature. */
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

/** The keys of local storage. The record store's client writes one more, `pocketbase_auth`. */
export const KEYS = {
  accessToken: 'gh_accessToken',
  accessTokenExpiry: 'gh_accessTokenExpiry',
  orgPreference: 'orgPreference',
  providerInfo: 'providerInfo',
} as const;

export type KeyValueStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** GitHub's token expires eight hours after it was saved. */
const ACCESS_TOKEN_LIFETIME_MS = 8 * 60 * 60 * 1000;

export function saveAccessToken(store: KeyValueStore, token: string, now: number): void {
  store.setItem(KEYS.accessToken, token);
  store.setItem(KEYS.accessTokenExpiry, String(now + ACCESS_TOKEN_LIFETIME_MS));
}

/** GitHub's token; null if there is none or it has expired. */
export function readAccessToken(store: KeyValueStore, now: number): string | null {
  const expiry = Number(store.getItem(KEYS.accessTokenExpiry));
  return expiry > now ? store.getItem(KEYS.accessToken) || null : null;
}

/**
 * Removes everything that belongs to the person, except the record store's own session. The sign-ins that other tabs have
 * started stay until a logout: the end of one session isn't theirs.
 */
export function clearLocal(store: KeyValueStore): void {
  for (const key of Object.values(KEYS)) if (key !== KEYS.providerInfo) store.removeItem(key);
}

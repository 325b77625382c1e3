/** The keys of the browser's local storage. `pocketbase_auth` is written by the record store's own client. */
export const KEYS = {
  accessToken: 'gh_accessToken',
  accessTokenExpiry: 'gh_accessTokenExpiry',
  orgPreference: 'orgPreference',
  providerInfo: 'providerInfo',
} as const;

export type KeyValueStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** GitHub's token is kept for eight hours after it was saved. */
export const ACCESS_TOKEN_LIFETIME_MS = 8 * 60 * 60 * 1000;

export function saveAccessToken(store: KeyValueStore, token: string, now: number): void {
  store.setItem(KEYS.accessToken, token);
  store.setItem(KEYS.accessTokenExpiry, String(now + ACCESS_TOKEN_LIFETIME_MS));
}

/** GitHub's token; null when there is none or its eight hours are over. */
export function readAccessToken(store: KeyValueStore, now: number): string | null {
  const expiry = Number(store.getItem(KEYS.accessTokenExpiry));
  return expiry > now ? store.getItem(KEYS.accessToken) || null : null;
}

/** Forgets everything that belongs to the person, apart from the record store's own session. */
export function clearLocal(store: KeyValueStore): void {
  for (const key of Object.values(KEYS)) store.removeItem(key);
}

/** What sign-in keeps while the person is at GitHub. */
export type ProviderInfo = { name: string; state: string; codeVerifier: string; returnTo: string };

export function saveProviderInfo(store: KeyValueStore, info: ProviderInfo): void {
  store.setItem(KEYS.providerInfo, JSON.stringify(info));
}

/** Takes the saved sign-in out of the store: it serves one return from GitHub, whatever comes of it. */
export function takeProviderInfo(store: KeyValueStore): ProviderInfo | null {
  const text = store.getItem(KEYS.providerInfo);
  store.removeItem(KEYS.providerInfo);
  try {
    const info: Partial<ProviderInfo> | null = JSON.parse(text ?? 'null');
    if (!info?.state || !info.codeVerifier) return null;
    return {
      name: String(info.name),
      state: info.state,
      codeVerifier: info.codeVerifier,
      returnTo: info.returnTo ?? '/',
    };
  } catch {
    return null;
  }
}

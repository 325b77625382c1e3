import { KEYS, type KeyValueStore } from '../../lib/local-store.ts';

/** The values that sign-in saves while the person is on GitHub. */
export type ProviderInfo = { name: string; state: string; codeVerifier: string; returnTo: string };

export function saveProviderInfo(store: KeyValueStore, info: ProviderInfo): void {
  store.setItem(KEYS.providerInfo, JSON.stringify(info));
}

/** Reads and removes the saved sign-in, so that it serves only one return from GitHub, successful or not. */
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

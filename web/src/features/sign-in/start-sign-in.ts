import { sentenceOf } from '../../lib/api-client.ts';
import { KEYS, type KeyValueStore } from '../../lib/local-store.ts';
import { OTHER_PERSON } from '../../lib/logout.ts';
import type { RecordStore } from '../../lib/record-store.ts';
import { type Origins, safeUrl } from '../../lib/safe-url.ts';
import { USERS } from '../../lib/session.ts';

type Deps = { store: RecordStore; local: KeyValueStore; tab: Pick<Storage, 'getItem'>; config: Origins };

/** GitHub would else sign the same person in again by itself (docs.github.com, "Authorizing OAuth apps"). */
const CHOOSE_ACCOUNT = '&prompt=select_account';

/**
 * Prepares a sign-in and resolves to GitHub's address to go to. `returnTo` is the path of the dashboard to return to.
 * Rejects with a sentence for the person.
 */
export async function startSignIn({ store, local, tab, config }: Deps, returnTo: string): Promise<string> {
  const methods = await store
    .collection(USERS)
    .listAuthMethods()
    .catch((error: unknown) => {
      throw new Error(sentenceOf(error));
    });
  const provider = methods.oauth2.providers.find(({ name }) => name === 'github');
  if (!provider) throw new Error('github auth provider missing');
  // The record store's address ends in `redirect_uri=` for the client to complete.
  const ownAddress = provider.authURL + encodeURIComponent(oauthRedirectUrl(config));
  const address = safeUrl(tab.getItem(OTHER_PERSON) ? `${ownAddress}${CHOOSE_ACCOUNT}` : ownAddress, config);
  if (!address)
    throw new Error(
      "The sign-in address isn't on the GitHub that OTP Guard is set up for. Contact its operator.",
    );
  const { name, state, codeVerifier } = provider;
  saveProviderInfo(local, { name, state, codeVerifier, returnTo });
  return address;
}

/** The address that GitHub sends the person back to. The record store compares it when it exchanges the code. */
export const oauthRedirectUrl = ({ origin }: Origins) => `${origin}/oauth`;

/** The values that sign-in saves while the person is on GitHub. */
export type ProviderInfo = { name: string; state: string; codeVerifier: string; returnTo: string };

function saveProviderInfo(store: KeyValueStore, info: ProviderInfo): void {
  store.setItem(KEYS.providerInfo, JSON.stringify(info));
}

/** Reads and removes the saved sign-in, so that it serves only one return from GitHub, successful or not. */
export function takeProviderInfo(store: KeyValueStore): ProviderInfo | null {
  const text = store.getItem(KEYS.providerInfo);
  store.removeItem(KEYS.providerInfo);
  try {
    const info: ProviderInfo | null = JSON.parse(text ?? 'null');
    return info?.state && info.codeVerifier ? info : null;
  } catch {
    return null;
  }
}

import type { KeyValueStore } from '../../lib/local-store.ts';
import { type RecordStore, storeSentence } from '../../lib/record-store.ts';
import { type Origins, safeUrl } from '../../lib/safe-url.ts';
import { USERS } from '../../lib/session.ts';
import { oauthRedirectUrl } from './oauth-redirect-url.ts';
import { saveProviderInfo } from './provider-info.ts';

type Deps = { store: RecordStore; local: KeyValueStore; config: Origins };

/**
 * Prepares a sign-in and resolves to GitHub's address to go to. `returnTo` is the path of the dashboard to return to.
 * Rejects with a sentence for the person.
 */
export async function startSignIn({ store, local, config }: Deps, returnTo: string): Promise<string> {
  const methods = await store
    .collection(USERS)
    .listAuthMethods()
    .catch((error: unknown) => {
      throw new Error(storeSentence(error));
    });
  const provider = methods.oauth2.providers.find(({ name }) => name === 'github');
  if (!provider) throw new Error('github auth provider missing');
  // The record store's address ends in `redirect_uri=` for the client to complete.
  const address = safeUrl(provider.authURL + encodeURIComponent(oauthRedirectUrl(config)), config);
  if (!address)
    throw new Error(
      "The sign-in address isn't on the GitHub that OTP Guard is set up for. Contact its operator.",
    );
  const { name, state, codeVerifier } = provider;
  saveProviderInfo(local, { name, state, codeVerifier, returnTo });
  return address;
}

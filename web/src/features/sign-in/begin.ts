import { type KeyValueStore, saveProviderInfo } from '../../lib/local-store.ts';
import { type RecordStore, storeSentence } from '../../lib/record-store.ts';
import { type Places, safeUrl } from '../../lib/safe-url.ts';
import { USERS } from '../../lib/session.ts';
import { returnAddress } from './return-address.ts';

type Deps = { store: RecordStore; local: KeyValueStore; config: Places };

/**
 * Prepares a sign-in and returns GitHub's address to go to; `returnTo` is the path of the dashboard to come back to.
 * Rejects with a sentence for the person.
 */
export async function beginSignIn({ store, local, config }: Deps, returnTo: string): Promise<string> {
  const methods = await store
    .collection(USERS)
    .listAuthMethods()
    .catch((error: unknown) => {
      throw new Error(storeSentence(error));
    });
  const provider = methods.oauth2.providers.find(({ name }) => name === 'github');
  if (!provider) throw new Error('github auth provider missing');
  // The record store leaves `redirect_uri=` open at the end of its address.
  const address = safeUrl(provider.authURL + encodeURIComponent(returnAddress(config)), config);
  if (!address) throw new Error('The sign-in address is not on the GitHub that this OTP Guard serves.');
  const { name, state, codeVerifier } = provider;
  saveProviderInfo(local, { name, state, codeVerifier, returnTo });
  return address;
}

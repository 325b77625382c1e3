import { type Origins, safeUrl } from '../../lib/address/safe-url.ts';
import { sentenceOf } from '../../lib/api/api-client.ts';
import type { RecordStore } from '../../lib/react/record-store.ts';
import { KEYS, type KeyValueStore } from '../../lib/session/local-store.ts';
import { OTHER_PERSON } from '../../lib/session/logout.ts';
import { USERS } from '../../lib/session/session.ts';

type Deps = {
  store: RecordStore;
  local: KeyValueStore;
  tab: Pick<Storage, 'getItem'>;
  config: Origins;
  now: () => number;
};

/** GitHub would else sign the same person in again automatically (docs.github.com, "Authorizing OAuth apps"). */
const CHOOSE_ACCOUNT = '&prompt=select_account';

/**
 * Prepares a sign-in and resolves to GitHub's address to go to. `returnTo` is the path of the dashboard to return to.
 * Rejects with a sentence for the person.
 */
export async function startSignIn(
  { store, local, tab, config, now }: Deps,
  returnTo: string,
): Promise<string> {
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
  saveProviderInfo(local, state, { name, codeVerifier, returnTo, savedAt: now() });
  return address;
}

/** The address that GitHub sends the person back to. The record store compares it when it exchanges the code. */
export const oauthRedirectUrl = ({ origin }: Origins) => `${origin}/oauth`;

/** The values that a sign-in saves while the person is on GitHub. */
export type ProviderInfo = { name: string; codeVerifier: string; returnTo: string; savedAt: number };

/** The sign-ins that this browser started and that haven't returned, by the `state` that leads back to each. */
type SavedSignIns = Record<string, ProviderInfo>;

/** Long enough to look for the other device that GitHub asks for. */
const KEPT_MS = 60 * 60_000;
const MOST_KEPT = 10;

/** Keeps the sign-ins of other tabs: each is a slot of its own, up to a number and an age. */
function saveProviderInfo(store: KeyValueStore, state: string, info: ProviderInfo): void {
  const others = Object.entries(readSaved(store))
    .filter(([, { savedAt }]) => savedAt > info.savedAt - KEPT_MS)
    .sort(([, one], [, other]) => other.savedAt - one.savedAt)
    .slice(0, MOST_KEPT - 1);
  store.setItem(KEYS.providerInfo, JSON.stringify(Object.fromEntries([[state, info], ...others])));
}

/** Reads and removes the sign-in with this state, so that it serves only one return from GitHub, successful or not. */
export function takeProviderInfo(
  store: KeyValueStore,
  state: string,
  now: number,
): { saved: ProviderInfo | null; hasOthers: boolean } {
  const { [state]: found, ...others } = readSaved(store);
  const hasOthers = Object.keys(others).length > 0;
  if (hasOthers) store.setItem(KEYS.providerInfo, JSON.stringify(others));
  else store.removeItem(KEYS.providerInfo);
  const isWhole = found?.codeVerifier && found.savedAt > now - KEPT_MS;
  return { saved: isWhole ? found : null, hasOthers };
}

function readSaved(store: KeyValueStore): SavedSignIns {
  try {
    const saved: unknown = JSON.parse(store.getItem(KEYS.providerInfo) ?? '');
    const entries = Object.entries(saved ?? {}) as [string, ProviderInfo | null][];
    return Object.fromEntries(entries.filter(([, info]) => info?.savedAt)) as SavedSignIns;
  } catch {
    return {};
  }
}

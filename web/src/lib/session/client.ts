import { type Config, readConfig } from '../address/config.ts';
import { type ApiClient, createApiClient, inTime } from '../api/api-client.ts';
import type { KeyValueStore } from './local-store.ts';
import { createSession, type Session } from './session.ts';

/** Everything that pages need from the outside world, created once. */
export type Client = {
  config: Config;
  local: KeyValueStore;
  /** Session storage: cleared when the tab closes. */
  tab: KeyValueStore & Pick<Storage, 'clear'>;
  session: Session;
  api: ApiClient;
  /** Milliseconds since 1970. */
  now: () => number;
};

/** Throws if the browser denies storage to this site. */
export function createClient(window: Window): Client {
  const local = window.localStorage;
  const tab = window.sessionStorage;
  const now = () => Date.now();
  const config = readConfig(window.document, window.location.origin);
  const fetch: typeof window.fetch = (input, init) => window.fetch(input, inTime(init));
  const session = createSession({ local, window, fetch, now });
  const api = createApiClient({
    fetch,
    token: session.token,
    // A late refusal must not overwrite the reason that is already shown.
    onUnauthorized: (message) => {
      if (session.getState().status === 'signed-in') session.signOut(message);
    },
  });
  return { config, local, tab, session, api, now };
}

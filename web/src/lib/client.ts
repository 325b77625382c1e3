import { type ApiClient, createApiClient } from './api-client.ts';
import { type Config, readConfig } from './config.ts';
import type { KeyValueStore } from './local-store.ts';
import { createRecordStore, type RecordStore } from './record-store.ts';
import { createSession, type Session } from './session.ts';

/** Everything that pages need from the outside world, created once. */
export type Client = {
  config: Config;
  store: RecordStore;
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
  const store = createRecordStore(config.origin);
  const session = createSession({ store, local, now });
  const api = createApiClient({
    fetch: (input, init) => window.fetch(input, init),
    token: session.token,
    // A late refusal must not overwrite the reason that is already shown.
    onUnauthorized: (message) => {
      if (session.getState().status === 'signed-in') session.signOut(message);
    },
  });
  return { config, store, local, tab, session, api, now };
}

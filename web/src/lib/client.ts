import { type ApiClient, createApiClient } from './api-client.ts';
import { type Config, readConfig } from './config.ts';
import type { KeyValueStore } from './local-store.ts';
import { createRecordStore, type RecordStore } from './record-store.ts';
import { createSession, type Session } from './session.ts';

/** Everything that the pages need from outside themselves, made once. */
export type Client = {
  config: Config;
  store: RecordStore;
  local: KeyValueStore;
  /** Storage that ends with the tab. */
  tab: KeyValueStore & Pick<Storage, 'clear'>;
  session: Session;
  api: ApiClient;
  /** Milliseconds since 1970. */
  now: () => number;
};

/** Throws where the browser keeps no storage for this site. */
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
    // A late refusal does not overwrite why the person is signed out already.
    onUnauthorized: (message) => {
      if (session.getState().status === 'signed-in') session.leave(message);
    },
  });
  return { config, store, local, tab, session, api, now };
}

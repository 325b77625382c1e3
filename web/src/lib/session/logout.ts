import type { Poster } from '../api/api-client.ts';
import { KEYS, type KeyValueStore } from './local-store.ts';
import type { Session } from './session.ts';

type Deps = {
  api: Poster;
  session: Session;
  local: KeyValueStore;
  tab: Pick<Storage, 'clear' | 'setItem'>;
};

/** The key in session storage. It says that the next sign-in in this tab is of another person. */
export const OTHER_PERSON = 'other-person';

/**
 * Ends all of the person's sessions on the server and clears this browser, even if the server doesn't answer. A missing
 * client is a bug, so it's logged.
 *
 * @param forOther True if another person is about to sign in: GitHub then asks for the account.
 */
export async function logout(client: Deps | null, forOther = false): Promise<void> {
  if (!client) {
    // biome-ignore lint/suspicious/noConsole: the specification requires this log line.
    console.error('Context uninitialized');
    return;
  }
  await client.api.post('/logout', {}).catch(() => undefined);
  forget(client, forOther);
}

/** Clears this browser. */
export function forget(client: Omit<Deps, 'api'>, forOther = false): void {
  client.tab.clear();
  if (forOther) client.tab.setItem(OTHER_PERSON, 'true');
  client.local.removeItem(KEYS.providerInfo);
  client.session.signOut(null);
}

import type { Poster } from './api-client.ts';
import type { Session } from './session.ts';

type Deps = { api: Poster; session: Session; tab: Pick<Storage, 'clear'> };

/**
 * Ends all of the person's sessions on the server and clears this browser, even if the server doesn't answer. A missing
 * client is a bug, so it's logged.
 */
export async function logout(client: Deps | null): Promise<void> {
  if (!client) {
    // biome-ignore lint/suspicious/noConsole: the specification requires this log line.
    console.error('Context uninitialized');
    return;
  }
  await client.api.post('/logout', {}).catch(() => undefined);
  client.tab.clear();
  client.session.signOut(null);
}

import type { Poster } from './api-client.ts';
import type { Session } from './session.ts';

type Deps = { api: Poster; session: Session; tab: Pick<Storage, 'clear'> };

/**
 * Ends every session of the person on the server, and forgets them and what they had begun here even when the server does not answer.
 * Without a client there is nothing to end; that is a bug worth a line in the console.
 */
export async function logout(client: Deps | null): Promise<void> {
  if (!client) {
    // biome-ignore lint/suspicious/noConsole: asked for word for word.
    console.error('Context uninitialized');
    return;
  }
  await client.api.post('/logout', {}).catch(() => undefined);
  client.tab.clear();
  client.session.leave(null);
}

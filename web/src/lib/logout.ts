import type { Poster } from './api-client.ts';
import type { Session } from './session.ts';

/**
 * Ends every session of the person on the server, and forgets them here even when the server does not answer.
 * Without a client there is nothing to end; that is a bug worth a line in the console.
 */
export async function logout(client: { api: Poster; session: Session } | null): Promise<void> {
  if (!client) {
    // biome-ignore lint/suspicious/noConsole: the specification asks for this line.
    console.error('Context uninitialized');
    return;
  }
  await client.api.post('/logout', {}).catch(() => undefined);
  client.session.leave(null);
}

import type { Sessions } from '../accounts/ports.ts';
import type { StoreClient } from './client.ts';
import { refresh } from './own-record.ts';

/** As long as a GitHub user token of an App lives. */
const SESSION_S = 8 * 60 * 60;

/** Sessions are the record store's own tokens: it alone can tell whether one still serves. */
export function createSessions(client: StoreClient): Sessions {
  return {
    async begin(userId) {
      const session = await client.run((records) =>
        records.collection('gh_users').impersonate(userId, SESSION_S),
      );
      return session.authStore.token;
    },
    async read(token) {
      const own = await refresh(client, token);
      if (!own?.record.github_id) return null;
      const { id, github_id, username } = own.record;
      return { userId: id, githubId: github_id, login: username };
    },
    async endAll(userId) {
      // A new token key ends every token that the old one signed.
      await client.run((records) =>
        records.collection('gh_users').update(userId, { 'tokenKey:autogenerate': '' }),
      );
    },
  };
}

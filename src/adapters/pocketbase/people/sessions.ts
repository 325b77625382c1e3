import type { Sessions } from '../../../people/ports.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import type { StoreClient } from '../client.ts';
import { refresh } from './my-user-record.ts';

/** The same as GitHub's user tokens for an App. */
const SESSION_S = 8 * 60 * 60;

/** Sessions are the record store's own tokens, so only the store can say whether one is still valid. */
export function createSessions(client: StoreClient, log: ActivityLog): Sessions {
  return {
    async begin(userId) {
      const session = await client.run((records) =>
        records.collection('gh_users').impersonate(userId, SESSION_S),
      );
      return session.authStore.token;
    },
    async read(token) {
      const refreshed = await refresh(client, token);
      if (!refreshed?.record.github_id) return null;
      const { id, github_id, username } = refreshed.record;
      return { userId: id, githubId: github_id, login: username };
    },
    async endAll(userId, effects) {
      // A new token key invalidates every token that was signed with the old one.
      const change = { 'tokenKey:autogenerate': '' };
      if (effects) {
        await log.send(effects, { change: (batch) => batch.collection('gh_users').update(userId, change) });
        return;
      }
      await client.run((records) => records.collection('gh_users').update(userId, change));
    },
  };
}

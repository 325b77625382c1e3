import type { Sessions } from '../accounts/ports.ts';
import { AppError } from '../app-error.ts';
import type { StoreClient } from './client.ts';

/** As long as a GitHub user token of an App lives. */
const SESSION_S = 8 * 60 * 60;

type UserRecord = { id: string; github_id: number; username: string };

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
      const answer = await fetch(`${client.url}/api/collections/gh_users/auth-refresh`, {
        method: 'POST',
        headers: { authorization: token },
        signal: AbortSignal.timeout(5_000),
      }).catch((cause: unknown) => {
        throw new AppError('storeUnavailable', { cause });
      });
      if (answer.status >= 500) throw new AppError('storeUnavailable');
      if (!answer.ok) return null;
      const { record } = (await answer.json()) as { record: UserRecord };
      if (!record.github_id) return null;
      return { userId: record.id, githubId: record.github_id, login: record.username };
    },
    async endAll(userId) {
      // A new token key ends every token that the old one signed.
      await client.run((records) =>
        records.collection('gh_users').update(userId, { 'tokenKey:autogenerate': '' }),
      );
    },
  };
}

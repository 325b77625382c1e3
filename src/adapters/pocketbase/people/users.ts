import type { Contact } from '../../../notices/ports.ts';
import type { Users } from '../../../people/ports.ts';
import { first, ignoreMissing, type StoreClient } from '../client.ts';
import { queueNotice } from '../notices/notices.ts';

type UserRecord = {
  id: string;
  github_id: number;
  username: string;
  email: string;
  address: string;
  image: Contact['image'];
};
type ExternalAuth = { id: string };

export function createUsers(client: StoreClient): Users {
  return {
    async githubIdOf(userId) {
      const user = await client.run((records) => records.collection('gh_users').getOne<UserRecord>(userId));
      return user.github_id;
    },

    async saveProfile(userId, user) {
      await client.run(async (records) => {
        // PocketBase copies GitHub's address at sign-up, and links accounts by it: a person
        // who gets that address later would sign in to this record. So it's replaced by one
        // that nobody can have. An empty or unverified one would be filled in again at each
        // sign-in, and every session would end.
        const email = `${user.id}@unconfirmed.invalid`;
        const users = records.collection('gh_users');
        const current = await users.getOne<UserRecord>(userId);
        await users.update(userId, {
          github_id: user.id,
          username: user.login,
          avatar: user.avatarUrl,
          // Changing the address ends every session of the user, so only the first sign-in does it.
          ...(current.email !== email && { email, verified: true }),
        });
      });
    },

    async setImage(userId, image) {
      await client.run((records) => records.collection('gh_users').update(userId, { image }));
    },

    async setAddress(userId, address, notices) {
      await client.run(async (records) => {
        const batch = records.createBatch();
        batch.collection('gh_users').update(userId, { address });
        for (const notice of notices) queueNotice(batch, notice, client.clock.now());
        await batch.send();
      });
    },

    async userIdOf(githubId) {
      const user = await client.run((records) =>
        first<UserRecord>(records, 'gh_users', 'github_id = {:githubId}', { githubId }),
      );
      return user?.id ?? null;
    },

    async contact(userId) {
      const user = await client.run((records) =>
        first<UserRecord>(records, 'gh_users', 'id = {:userId}', { userId }),
      );
      return user && { login: user.username, address: user.address, image: user.image };
    },

    async unlink(userId, githubId) {
      await client.run(async (records) => {
        const link = await first<ExternalAuth>(
          records,
          '_externalAuths',
          'recordRef = {:userId} && provider = "github" && providerId = {:providerId}',
          { userId, providerId: String(githubId) },
        );
        if (link) await records.collection('_externalAuths').delete(link.id).catch(ignoreMissing);
        await records.collection('gh_users').update(userId, { 'tokenKey:autogenerate': '' });
      });
    },
  };
}

import type { Contact, Users } from '../accounts/ports.ts';
import { first, ignoreMissing, isDuplicate, type StoreClient } from './client.ts';
import { queue } from './notices.ts';

type UserRecord = {
  id: string;
  github_id: number;
  username: string;
  email: string;
  address: string;
  image: Contact['image'];
};
type MemberRecord = { id: string; org: string; user: string };
type ExternalAuth = { id: string };

export function createUsers(client: StoreClient): Users {
  return {
    async githubIdOf(userId) {
      const user = await client.run((records) => records.collection('gh_users').getOne<UserRecord>(userId));
      return user.github_id;
    },

    async saveProfile(userId, user) {
      await client.run(async (records) => {
        // Sign-up copies GitHub's address, and the sign-in of whoever has that address
        // one day would land in this record. An empty or unverified one would be
        // filled again, and end every session, at each sign-in.
        const email = `${user.id}@unconfirmed.invalid`;
        const users = records.collection('gh_users');
        const current = await users.getOne<UserRecord>(userId);
        await users.update(userId, {
          github_id: user.id,
          username: user.login,
          avatar: user.avatarUrl,
          // Another address ends every session of the user: only a first sign-in brings one.
          ...(current.email !== email && { email, verified: true }),
        });
      });
    },

    async saveMemberships({ userId, githubId, login }, memberships) {
      await client.run(async (records) => {
        const members = records.collection('org_members');
        const current = await members.getFullList<MemberRecord>({
          filter: records.filter('user = {:userId} || github_id = {:githubId}', { userId, githubId }),
        });
        const wanted = new Map(memberships.map(({ org, role }) => [org.id, role]));
        for (const { id, org } of current) {
          const role = wanted.get(org);
          wanted.delete(org);
          if (role === undefined) await members.delete(id).catch(ignoreMissing);
          else await members.update(id, { role, user: userId, github_id: githubId, login });
        }
        for (const [org, role] of wanted) {
          const member = { org, github_id: githubId, login, role, user: userId };
          await members.create(member).catch((error: unknown) => {
            if (!isDuplicate(error)) throw error;
          });
        }
      });
    },

    async setImage(userId, image) {
      await client.run((records) => records.collection('gh_users').update(userId, { image }));
    },

    async setAddress(userId, address) {
      await client.run(async (records) => {
        const user = await records.collection('gh_users').getOne<UserRecord>(userId);
        const batch = records.createBatch();
        batch.collection('gh_users').update(userId, { address });
        const data = { login: user.username };
        queue(batch, { kind: 'addressConfirmed', data, userId, to: address });
        if (user.address && user.address !== address)
          queue(batch, { kind: 'addressReplaced', data, userId, to: user.address });
        await batch.send();
      });
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

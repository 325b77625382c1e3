import type { Users } from '../accounts/ports.ts';
import { first, ignoreMissing, isDuplicate, type StoreClient } from './client.ts';

type UserRecord = { id: string; github_id: number; email: string };
type MemberRecord = { id: string; org: string; role: string };
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

    async saveMemberships(userId, memberships) {
      await client.run(async (records) => {
        const members = records.collection('org_members');
        const current = await members.getFullList<MemberRecord>({
          filter: records.filter('user = {:userId}', { userId }),
        });
        const wanted = new Map(memberships.map(({ org, role }) => [org.id, role]));
        for (const { id, org, role } of current) {
          const now = wanted.get(org);
          wanted.delete(org);
          if (now === undefined) await members.delete(id).catch(ignoreMissing);
          else if (now !== role) await members.update(id, { role: now });
        }
        for (const [org, role] of wanted) {
          await members.create({ user: userId, org, role }).catch((error: unknown) => {
            if (!isDuplicate(error)) throw error;
          });
        }
      });
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

import type { EmailCodes, Users } from '../../../people/ports.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import { type StoreClient, sendBatch } from '../client.ts';
import { queueNotice } from '../notices/notices.ts';
import { consumeKey } from '../records/one-time-keys.ts';
import { recordsOf } from '../records/records-of.ts';
import { createSessions } from './sessions.ts';

export const createPeopleStores = (client: StoreClient, log: ActivityLog) => ({
  emailCodes: createEmailCodes(client),
  sessions: createSessions(client, log),
  users: createUsers(client),
});

function createEmailCodes(client: StoreClient): EmailCodes {
  const codes = recordsOf(client, 'email_codes');
  return {
    async add({ sig, userId, email, orgId, ts, nonce, expires }) {
      const fields = { sig, user: userId, email, org_id: orgId, ts, nonce };
      await codes.create({ ...fields, expires: expires.toISOString() });
    },
    async find(sig) {
      const found = await codes.first({ sig });
      if (!found) return null;
      const { id, user: userId, email, org_id: orgId, ts, nonce, expires } = found;
      return { id, sig, userId, email, orgId, ts, nonce, expires: new Date(expires) };
    },
    async takeTry(code, most) {
      for (let attempt = 1; attempt <= most; attempt += 1) {
        if (await consumeKey(client, `email-try:${code.id}:${attempt}`, code.expires)) return most - attempt;
      }
      return null;
    },
    consume: (code) => consumeKey(client, `email:${code.id}`, code.expires),
  };
}

/** A record of PocketBase's own, which links an account to ours. */
type LinkRecord = { id: string; recordRef: string; provider: string; providerId: string };

function createUsers(client: StoreClient): Users {
  const users = recordsOf(client, 'gh_users');
  return {
    githubIdOf: async (userId) => (await users.get(userId)).github_id,

    async saveProfile(userId, user) {
      // PocketBase copies GitHub's address at sign-up, and links accounts by it: a person
      // who gets that address later would sign in to this record. So it's replaced by one
      // that nobody can have. An empty or unverified one would be filled in again at each
      // sign-in, and every session would end.
      const email = `${user.id}@unconfirmed.invalid`;
      const current = await users.get(userId);
      const profile = { github_id: user.id, username: user.login, avatar: user.avatarUrl };
      // Changing the address ends every session of the user, so only the first sign-in does it.
      const fields = { ...profile, ...(current.email !== email && { email, verified: true }) };
      await users.update(userId, fields);
    },

    async setImage(userId, image) {
      await users.update(userId, { image });
    },

    async setAddress(userId, address, notices) {
      await sendBatch(client, (batch) => {
        batch.collection('gh_users').update(userId, { address });
        for (const notice of notices) queueNotice(batch, notice, client.clock.now());
      });
    },

    userIdOf: async (githubId) => (await users.first({ github_id: githubId }))?.id ?? null,

    async avatars(githubIds) {
      const found = await users.allOf(
        'github_id',
        [...new Set(githubIds)],
        {},
        { fields: 'github_id,avatar' },
      );
      return new Map(found.map(({ github_id, avatar }) => [github_id, avatar]));
    },

    async contact(userId) {
      const user = await users.first({ id: userId });
      return user && { login: user.username, address: user.address, image: user.image };
    },

    async unlink(userId, githubId) {
      const links = recordsOf<LinkRecord>(client, '_externalAuths');
      const link = await links.first({ recordRef: userId, provider: 'github', providerId: String(githubId) });
      if (link) await links.delete(link.id);
      await users.update(userId, { 'tokenKey:autogenerate': '' } as object);
    },
  };
}

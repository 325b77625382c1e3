import type { EmailCodes } from '../../../people/ports.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import type { StoreClient } from '../client.ts';
import { consumeKey } from '../records/one-time-keys.ts';
import { recordsOf } from '../records/records-of.ts';
import { createSessions } from './sessions.ts';
import { createUsers } from './users.ts';

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

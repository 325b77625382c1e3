import type { EmailCode, EmailCodes } from '../../../people/ports.ts';
import { first, type StoreClient } from '../client.ts';
import { consumeKey } from '../records/one-time-keys.ts';

type CodeRecord = {
  id: string;
  sig: string;
  user: string;
  email: string;
  org_id: number;
  ts: number;
  nonce: string;
  expires: string;
};

export function createEmailCodes(client: StoreClient): EmailCodes {
  return {
    async add({ sig, userId, email, orgId, ts, nonce, expires }) {
      await client.run((records) =>
        records
          .collection('email_codes')
          .create({ sig, user: userId, email, org_id: orgId, ts, nonce, expires: expires.toISOString() }),
      );
    },
    async find(sig) {
      const record = await client.run((records) =>
        first<CodeRecord>(records, 'email_codes', 'sig = {:sig}', { sig }),
      );
      return record && toCode(record);
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

function toCode({ id, sig, user, email, org_id, ts, nonce, expires }: CodeRecord): EmailCode {
  return { id, sig, userId: user, email, orgId: org_id, ts, nonce, expires: new Date(expires) };
}

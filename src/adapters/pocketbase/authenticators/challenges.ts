import type { Challenges } from '../../../authenticators/ports.ts';
import type { StoreClient } from '../client.ts';
import { consumeKey } from '../records/one-time-keys.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { newRecordId, recordsOf } from '../records/records-of.ts';

export function createChallenges(client: StoreClient, seals: RecordSeals): Challenges {
  const challenges = recordsOf(client, 'challenges');
  return {
    async add({ challenge, purpose, userId: user, orgId: org_id, subject, expires }) {
      const fields = { id: newRecordId(), challenge, purpose, user, org_id, subject };
      await challenges.create(seals.signed('challenges', { ...fields, expires: expires.toISOString() }));
    },
    async find(wanted) {
      const found = await challenges.first('challenge = {:wanted}', { wanted });
      if (!found || !seals.isOurs('challenges', found)) return null;
      const { challenge, purpose, user: userId, org_id: orgId, subject, expires } = found;
      return { challenge, purpose, userId, orgId, subject, expires: new Date(expires) };
    },
    consume: ({ challenge, expires }) => consumeKey(client, `challenge:${challenge}`, expires),
  };
}

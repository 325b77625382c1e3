import type { Challenge, Challenges, Purpose } from '../../../authenticators/ports.ts';
import { first, type StoreClient } from '../client.ts';
import { consumeKey } from '../records/one-time-keys.ts';
import { newRecordId } from '../records/record-id.ts';
import type { RecordSeals } from '../records/record-seals.ts';

type ChallengeRecord = {
  id: string;
  challenge: string;
  purpose: Purpose;
  user: string;
  org_id: number;
  subject: unknown;
  expires: string;
  mac: string;
};

export function createChallenges(client: StoreClient, seals: RecordSeals): Challenges {
  return {
    async add(challenge) {
      const fields = { id: newRecordId(), ...toFields(challenge) };
      const mac = seals.macOf('challenges', fields);
      await client.run((records) => records.collection('challenges').create({ ...fields, mac }));
    },
    async find(challenge) {
      const record = await client.run((records) =>
        first<ChallengeRecord>(records, 'challenges', 'challenge = {:challenge}', { challenge }),
      );
      return record && seals.isOurs('challenges', record) ? toChallenge(record) : null;
    },
    consume: ({ challenge, expires }) => consumeKey(client, `challenge:${challenge}`, expires),
  };
}

function toFields(challenge: Challenge): Omit<ChallengeRecord, 'id' | 'mac'> {
  return {
    challenge: challenge.challenge,
    purpose: challenge.purpose,
    user: challenge.userId,
    org_id: challenge.orgId,
    subject: challenge.subject,
    expires: challenge.expires.toISOString(),
  };
}

function toChallenge(record: ChallengeRecord): Challenge {
  return {
    challenge: record.challenge,
    purpose: record.purpose,
    userId: record.user,
    orgId: record.org_id,
    subject: record.subject,
    expires: new Date(record.expires),
  };
}

import type { ActivityKind } from '../../../contract/activity.ts';
import type { Enrolled } from '../../../contract/enrolment.ts';
import type { VouchStatement } from '../../../contract/statement.ts';
import type { Enrolments, StoredVouch } from '../../../receipts/ports.ts';
import { sha256Base64url } from '../../../shared/sha256.ts';
import { type LogEntryRecord, toEntry } from '../audit/log-entry-record.ts';
import { first, type StoreClient } from '../client.ts';
import type { RecordSeals, Row } from '../records/record-seals.ts';
import { type CredentialRecord, EXPAND } from './credentials.ts';

type VouchRecord = Row & {
  enrolled: Enrolled;
  statement: VouchStatement | null;
  assertion: { id: string } | null;
  public_key: string;
  created: string;
};

const REGISTRATIONS: ActivityKind[] = ['webauthnRegister', 'webauthnPending', 'totpRegister'];
/** Of one person, or for one key: a few. */
const MOST = 200;

export function createEnrolments(client: StoreClient, seals: RecordSeals): Enrolments {
  const userIdOf = async (githubId: number) => {
    const user = await client.run((records) =>
      first<{ id: string }>(records, 'gh_users', 'github_id = {:githubId}', { githubId }),
    );
    return user?.id ?? null;
  };

  return {
    async vouches(org, publicKeySha256) {
      const found = await client.run((records) =>
        records.collection('vouches').getList<VouchRecord>(1, MOST, {
          filter: records.filter('org = {:org} && public_key_sha256 = {:publicKeySha256}', {
            org,
            publicKeySha256,
          }),
          expand: 'org',
          skipTotal: true,
        }),
      );
      return found.items
        .filter((record) => seals.isOurs('vouches', record))
        .map(toVouch)
        .sort((one, other) => one.at.getTime() - other.at.getTime());
    },

    async registrations(org, githubId) {
      const userId = await userIdOf(githubId);
      if (!userId) return [];
      const kinds = REGISTRATIONS.map((kind) => `activity = "${kind}"`).join(' || ');
      const found = await client.run((records) =>
        records.collection('gh_activities').getList<LogEntryRecord & { subject: string }>(1, MOST, {
          filter: `${records.filter('org = {:org} && user_id = {:userId}', { org, userId })} && (${kinds})`,
          skipTotal: true,
        }),
      );
      return found.items
        .sort((one, other) => one.entry_number - other.entry_number)
        .map((record) => ({ ...toEntry(record), subject: record.subject }));
    },

    async enrolled(org, githubId, publicKeySha256) {
      const userId = await userIdOf(githubId);
      if (!userId || publicKeySha256 === '') return '';
      const found = await client.run((records) =>
        records.collection('webauthn').getList<CredentialRecord>(1, MOST, {
          filter: records.filter('user = {:userId} && org = {:org}', { userId, org }),
          expand: EXPAND,
          skipTotal: true,
        }),
      );
      const key = found.items.find((record) => keyHashOf(record.public_key) === publicKeySha256);
      return key && seals.isOurs('webauthn', key) ? key.enrolled : '';
    },
  };
}

const keyHashOf = (publicKey: string) => sha256Base64url(Buffer.from(publicKey, 'base64url'));

function toVouch({ id, enrolled, statement, assertion, public_key, created }: VouchRecord): StoredVouch {
  return {
    id,
    enrolled,
    proof: statement && assertion && { statement, assertion, publicKey: public_key },
    at: statement ? new Date(statement.iat * 1000) : new Date(created),
  };
}

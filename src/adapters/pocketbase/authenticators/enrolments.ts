import type { ActivityKind } from '../../../contract/activity.ts';
import type { Enrolments, StoredVouch } from '../../../receipts/ports.ts';
import { sha256Base64url } from '../../../shared/crypto.ts';
import { type LogEntryRecord, toEntry } from '../audit/log-entry-record.ts';
import type { StoreClient } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { recordsOf } from '../records/records-of.ts';
import { EXPAND } from './credentials.ts';

const REGISTRATIONS: ActivityKind[] = ['webauthnRegister', 'webauthnPending', 'totpRegister'];
/** The most entries that are read about one person, and vouches for one key. Each has a few. */
const MOST = 200;

export function createEnrolments(client: StoreClient, seals: RecordSeals): Enrolments {
  const users = recordsOf(client, 'gh_users');
  const userIdOf = async (githubId: number) => (await users.first({ github_id: githubId }))?.id ?? null;

  return {
    async vouches(org, publicKeySha256) {
      const wanted = { org, public_key_sha256: publicKeySha256 };
      const found = await recordsOf(client, 'vouches').page(MOST, wanted, { expand: 'org' });
      return found
        .filter((record) => seals.isOurs('vouches', record))
        .map(toVouch)
        .sort((one, other) => one.at.getTime() - other.at.getTime());
    },

    async registrations(org, githubId) {
      const userId = await userIdOf(githubId);
      if (!userId) return [];
      const kinds = REGISTRATIONS.map((kind) => `activity = "${kind}"`).join(' || ');
      const found = await recordsOf<LogEntryRecord>(client, 'gh_activities').page(MOST, [
        `org = {:org} && user_id = {:userId} && (${kinds})`,
        { org, userId },
      ]);
      return found.map(toEntry).sort((one, other) => one.number - other.number);
    },

    async enrolled(org, githubId, publicKeySha256) {
      const userId = await userIdOf(githubId);
      if (!userId || publicKeySha256 === '') return '';
      const found = await recordsOf(client, 'webauthn').page(MOST, { user: userId, org }, { expand: EXPAND });
      const key = found.find((record) => keyHashOf(record.public_key) === publicKeySha256);
      return key && seals.isOurs('webauthn', key) ? key.enrolled : '';
    },
  };
}

const keyHashOf = (publicKey: string) => sha256Base64url(Buffer.from(publicKey, 'base64url'));

function toVouch({
  id,
  enrolled,
  statement,
  assertion,
  public_key,
  created,
}: RecordOf<'vouches'>): StoredVouch {
  return {
    id,
    enrolled,
    proof: statement && assertion && { statement, assertion, publicKey: public_key },
    at: statement ? new Date(statement.iat * 1000) : new Date(created),
  };
}

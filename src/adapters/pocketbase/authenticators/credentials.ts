import type { BatchService } from 'pocketbase';
import type {
  Admission,
  Credential,
  NewCredential,
  StoredCredentials,
} from '../../../authenticators/ports.ts';
import { AppError } from '../../../shared/app-error.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import { createIfNew, isMissing, type StoreClient, sendBatch, tryToStore } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { consumeKeyInBatch } from '../records/one-time-keys.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { newRecordId, recordsOf } from '../records/records-of.ts';
import { addAuthenticator, githubIdsOf, removeAuthenticator } from './add-and-remove.ts';
import { addAddress } from './enrolment-addresses.ts';

/** How long each used counter value is remembered; after that the stored counter is enough to detect reuse. */
const COUNTER_MS = 24 * 60 * 60 * 1000;

export function createCredentials(
  client: StoreClient,
  log: ActivityLog,
  seals: RecordSeals,
): StoredCredentials {
  const credentials = recordsOf<CredentialRecord>(client, 'webauthn');
  const list = (userId: string, orgRecordId: string) =>
    credentials.all({ user: userId, org: orgRecordId }, { sort: 'created,id', expand: EXPAND });

  const all = async (userId: string, orgRecordId: string) => {
    const found = await list(userId, orgRecordId);
    return found.filter((record) => seals.isOurs('webauthn', record)).map(toCredential);
  };

  const signUse = async (id: string, use: { counter: number; backed_up: boolean }) => {
    const record = await credentials.get(id, { expand: EXPAND });
    // Never signs a record that was changed since it was read.
    if (!seals.isOurs('webauthn', record)) throw new AppError('authenticatorNotFound');
    return { ...use, mac: seals.macOf('webauthn', { ...record, ...use }) };
  };

  return {
    all,

    async list(userId, orgRecordId) {
      return (await all(userId, orgRecordId)).filter(({ pending }) => pending === '');
    },

    async hasRecords(userId, orgRecordId) {
      const found = await list(userId, orgRecordId);
      return found.some((record) => record.pending === '' || !seals.isOurs('webauthn', record));
    },

    async byId(id) {
      const record = await credentials.first({ id });
      return record && toCredential(record);
    },

    async find(id) {
      const record = await credentials.first({ id }, { expand: EXPAND });
      return record && seals.isOurs('webauthn', record) ? toCredential(record) : null;
    },

    async add(credential, holder, admission, effects) {
      const fields = { id: newRecordId(), ...toFields(credential, admission) };
      const { id } = fields;
      const { user, org } = await githubIdsOf(client, holder);
      const record = seals.signed('webauthn', fields, { user, org });
      const { order } = admission;
      const outcome = await addAuthenticator({ client, log }, { holder, order, effects }, (batch) => {
        batch.collection('webauthn').create(record);
        addAddress(batch, seals, { admission, holder, githubId: user.github_id });
      });
      if (outcome !== 'added') return outcome;
      const stored = await credentials.first({ id });
      // A pending one may already be replaced by another.
      const created = stored?.created.replace(' ', 'T') ?? client.clock.now().toISOString();
      return { id, created };
    },

    rename(id, label, effects) {
      return tryToStore(() =>
        log.send(effects, { change: (batch) => batch.collection('webauthn').update(id, { label }) }),
      );
    },

    async remove(credential, holder, removal) {
      const { id, pending } = credential;
      const isPending = pending !== '';
      return removeAuthenticator({ client, log }, { holder, id, isPending, ...removal }, (batch) => {
        batch.collection('webauthn').delete(id);
      });
    },

    async recordUse({ id, ...before }, { counter, backedUp, isTimeSaved }) {
      // A passkey that its account syncs counts no uses, so there's nothing to sign.
      const isSame = before.counter === counter && before.backedUp === backedUp;
      if (isSame && counter === 0 && isTimeSaved) return true;
      const now = client.clock.now();
      const until = new Date(now.getTime() + COUNTER_MS);
      try {
        const use = isSame ? {} : await signUse(id, { counter, backed_up: backedUp });
        const save = (batch: BatchService) => {
          if (counter !== 0) consumeKeyInBatch(batch, `counter:${id}:${counter}`, until);
          batch.collection('webauthn').update(id, { ...use, last_used: now.toISOString() });
        };
        return (await createIfNew(() => sendBatch(client, save))) !== null;
      } catch (error) {
        // Someone removed it in the meantime.
        throw isMissing(error) ? new AppError('authenticatorNotFound') : error;
      }
    },
  };
}

export type CredentialRecord = RecordOf<'webauthn'> & {
  expand?: { user?: { github_id: number; username: string } };
};

/** The MAC covers GitHub's ids of the holder and the organization. */
export const EXPAND = 'user,org';

/** The fields of a new record. What they leave out is empty. */
export function toFields(credential: NewCredential, admission: Admission) {
  return {
    type: credential.type,
    label: credential.label,
    key_id: credential.keyId,
    user: credential.userId,
    org: credential.orgRecordId,
    public_key: credential.publicKey,
    counter: credential.counter,
    transports: credential.transports,
    aaguid: credential.aaguid,
    model: credential.model,
    backup_eligible: credential.backupEligible,
    backed_up: credential.backedUp,
    attested: credential.attested,
    model_verified: credential.modelVerified,
    ...(admission.order === 'pending'
      ? { pending: admission.waitsFor, nonce: admission.nonce, enrolled: '', added_with: '' }
      : { pending: '', nonce: '', enrolled: admission.enrolled, added_with: addedWithOf(admission) }),
  };
}

/** The kind of the holder's own authenticator that let this one in; empty for a first one. */
export const addedWithOf = (admission: Admission) =>
  admission.order === 'further' ? admission.addedWith : '';

export function toCredential(record: CredentialRecord): Credential {
  return {
    id: record.id,
    type: record.type,
    label: record.label,
    keyId: record.key_id,
    created: new Date(record.created),
    userId: record.user,
    orgRecordId: record.org,
    publicKey: record.public_key,
    counter: record.counter,
    transports: record.transports ?? [],
    aaguid: record.aaguid,
    backupEligible: record.backup_eligible,
    backedUp: record.backed_up,
    modelVerified: record.model_verified,
    model: record.model,
    pending: record.pending,
    nonce: record.nonce,
    enrolled: record.enrolled,
  };
}

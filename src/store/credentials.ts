import { AppError } from '../app-error.ts';
import type { Credential, Credentials, NewCredential } from '../authenticators/ports.ts';
import { first, isDuplicate, isMissing, type StoreClient } from './client.ts';
import { enrol, expel } from './enrolment.ts';
import { newRecordId } from './record-id.ts';
import { spend } from './spent.ts';

type CredentialRecord = {
  id: string;
  type: Credential['type'];
  label: string;
  key_id: string;
  user: string;
  org: string;
  public_key: string;
  counter: number;
  transports: string[] | null;
  created: string;
};

/** A used counter value is remembered this long; later ones are told by the counter itself. */
const COUNTER_MS = 24 * 60 * 60 * 1000;

export function createCredentials(client: StoreClient): Credentials {
  const list = (userId: string, orgRecordId: string) =>
    client.run((records) =>
      records.collection('webauthn').getFullList<CredentialRecord>({
        filter: records.filter('user = {:userId} && org = {:orgRecordId}', { userId, orgRecordId }),
        sort: 'created,id',
      }),
    );

  return {
    async of(userId, orgRecordId) {
      return (await list(userId, orgRecordId)).map(toCredential);
    },

    async byId(id) {
      const record = await client.run((records) =>
        first<CredentialRecord>(records, 'webauthn', 'id = {:id}', { id }),
      );
      return record && toCredential(record);
    },

    async add(credential, owner, entry) {
      const id = newRecordId();
      const subject = { type: credential.type, label: credential.label };
      try {
        const isIn = await enrol(client, owner, entry, subject, (batch) => {
          batch.collection('webauthn').create({ id, ...toFields(credential) });
        });
        if (!isIn) return 'notFirst';
      } catch (error) {
        if (isDuplicate(error)) return 'known';
        throw error;
      }
      const stored = await client.run((records) =>
        records.collection('webauthn').getOne<CredentialRecord>(id),
      );
      return { id, created: stored.created.replace(' ', 'T') };
    },

    async rename(id, label) {
      await client.run((records) => records.collection('webauthn').update(id, { label }));
    },

    async remove(credential, owner, by) {
      const subject = { type: credential.type, label: credential.label };
      return expel(client, { owner, by, key: `removed:${credential.id}`, subject }, (batch) => {
        batch.collection('webauthn').delete(credential.id);
      });
    },

    async used(credential, counter, backedUp) {
      if (counter !== 0) {
        const until = new Date(Date.now() + COUNTER_MS);
        if (!(await spend(client, `counter:${credential.id}:${counter}`, until))) return false;
      }
      await client
        .run((records) =>
          records.collection('webauthn').update(credential.id, {
            counter,
            backed_up: backedUp,
            last_used: new Date().toISOString(),
          }),
        )
        .catch((error: unknown) => {
          // It was removed at this very moment.
          throw isMissing(error) ? new AppError('authenticatorNotFound') : error;
        });
      return true;
    },
  };
}

function toFields(credential: NewCredential): object {
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
  };
}

function toCredential(record: CredentialRecord): Credential {
  return {
    id: record.id,
    type: record.type,
    label: record.label,
    keyId: record.key_id,
    userId: record.user,
    orgRecordId: record.org,
    publicKey: record.public_key,
    counter: record.counter,
    transports: record.transports ?? [],
  };
}

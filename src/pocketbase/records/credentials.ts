import type PocketBase from 'pocketbase';
import { AppError } from '../../app-error.ts';
import type { Credential, Credentials, NewCredential } from '../../authenticators/ports.ts';
import { first, isMissing, type StoreClient } from '../client.ts';
import { addAuthenticator, githubIdsOf, removeAuthenticator } from './authenticator-batches.ts';
import { addEffects } from './effects.ts';
import { consumeKey } from './one-time-keys.ts';
import { newRecordId } from './record-id.ts';
import type { RecordSeals } from './record-seals.ts';

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
  aaguid: string;
  backup_eligible: boolean;
  model_verified: boolean;
  mac: string;
  created: string;
};

/** How long each used counter value is remembered; after that the stored counter is enough to detect reuse. */
const COUNTER_MS = 24 * 60 * 60 * 1000;

/** The MAC covers GitHub's ids of the holder and the organization. */
const EXPAND = 'user,org';

export function createCredentials(client: StoreClient, seals: RecordSeals): Credentials {
  const list = (userId: string, orgRecordId: string) =>
    client.run((records) =>
      records.collection('webauthn').getFullList<CredentialRecord>({
        filter: records.filter('user = {:userId} && org = {:orgRecordId}', { userId, orgRecordId }),
        sort: 'created,id',
        expand: EXPAND,
      }),
    );

  const saveUse = async (
    records: PocketBase,
    id: string,
    { counter, backedUp }: { counter: number; backedUp: boolean },
  ) => {
    const record = await records.collection('webauthn').getOne<CredentialRecord>(id, { expand: EXPAND });
    // Never signs a record that was changed since it was read.
    if (!seals.isOurs('webauthn', record)) throw new AppError('authenticatorNotFound');
    const use = { counter, backed_up: backedUp };
    const mac = seals.macOf('webauthn', { ...record, ...use });
    const last_used = client.clock.now().toISOString();
    await records.collection('webauthn').update(id, { ...use, mac, last_used });
  };

  return {
    async list(userId, orgRecordId) {
      const found = await list(userId, orgRecordId);
      return found.filter((record) => seals.isOurs('webauthn', record)).map(toCredential);
    },

    async hasRecords(userId, orgRecordId) {
      return (await list(userId, orgRecordId)).length > 0;
    },

    async byId(id) {
      const record = await client.run((records) =>
        first<CredentialRecord>(records, 'webauthn', 'id = {:id}', { id }),
      );
      return record && toCredential(record);
    },

    async add(credential, holder, entry, effects) {
      const fields = { id: newRecordId(), ...toFields(credential) };
      const { id } = fields;
      const { user, org } = await githubIdsOf(client, holder);
      const mac = seals.macOf('webauthn', { ...fields, expand: { user, org } });
      const outcome = await addAuthenticator(client, { holder, entry, effects }, (batch) => {
        batch.collection('webauthn').create({ ...fields, mac });
      });
      if (outcome !== 'added') return outcome;
      const stored = await client.run((records) =>
        records.collection('webauthn').getOne<CredentialRecord>(id),
      );
      return { id, created: stored.created.replace(' ', 'T') };
    },

    async rename(id, label, effects) {
      return client.run(async (records) => {
        const batch = records.createBatch();
        batch.collection('webauthn').update(id, { label });
        addEffects(batch, effects, client.clock.now());
        try {
          await batch.send();
          return true;
        } catch (error) {
          if (await first(records, 'webauthn', 'id = {:id}', { id })) throw error;
          return false;
        }
      });
    },

    async remove(credential, holder, removal) {
      return removeAuthenticator(client, { holder, key: `removed:${credential.id}`, ...removal }, (batch) => {
        batch.collection('webauthn').delete(credential.id);
      });
    },

    async recordUse(credential, counter, backedUp) {
      if (counter !== 0) {
        const until = new Date(client.clock.now().getTime() + COUNTER_MS);
        if (!(await consumeKey(client, `counter:${credential.id}:${counter}`, until))) return false;
      }
      await client
        .run((records) => saveUse(records, credential.id, { counter, backedUp }))
        .catch((error: unknown) => {
          // Someone removed it in the meantime.
          throw isMissing(error) ? new AppError('authenticatorNotFound') : error;
        });
      return true;
    },
  };
}

function toFields(credential: NewCredential) {
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
  };
}

function toCredential(record: CredentialRecord): Credential {
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
    modelVerified: record.model_verified,
  };
}

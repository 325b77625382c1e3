import type PocketBase from 'pocketbase';
import type { Credential, Credentials, NewCredential } from '../authenticators/ports.ts';
import type { AuthenticatorMap } from '../contract/authenticators.ts';
import { first, isDuplicate, type StoreClient } from './client.ts';
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

    async hasAny(userId, orgRecordId) {
      if ((await list(userId, orgRecordId)).length > 0) return true;
      const totps = await client.run((records) =>
        records.collection('totps').getList(1, 1, {
          filter: records.filter('user_id = {:userId} && org_id = {:orgRecordId}', { userId, orgRecordId }),
          skipTotal: true,
        }),
      );
      return totps.items.length > 0;
    },

    async addFirst(credential, context) {
      const id = newRecordId();
      try {
        await client.run((records) => addAtOnce(records, id, credential, context));
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        const known = await client.run((records) =>
          first<CredentialRecord>(records, 'webauthn', 'key_id = {:keyId}', { keyId: credential.keyId }),
        );
        return known ? 'known' : 'notFirst';
      }
      const stored = await client.run((records) =>
        records.collection('webauthn').getOne<CredentialRecord>(id),
      );
      return { id, created: stored.created.replace(' ', 'T') };
    },

    async used(credential, counter, backedUp) {
      if (counter !== 0) {
        const until = new Date(Date.now() + COUNTER_MS);
        if (!(await spend(client, `counter:${credential.id}:${counter}`, until))) return false;
      }
      await client.run((records) =>
        records.collection('webauthn').update(credential.id, {
          counter,
          backed_up: backedUp,
          last_used: new Date().toISOString(),
        }),
      );
      return true;
    },
  };
}

/** The credential, its activity entry and the user's map: all of it or nothing. */
async function addAtOnce(
  records: PocketBase,
  id: string,
  credential: NewCredential,
  context: { orgId: number; orgName: string; login: string },
): Promise<void> {
  const user = await records
    .collection('gh_users')
    .getOne<{ authenticators: AuthenticatorMap | null }>(credential.userId);
  const map = user.authenticators ?? {};
  const own = map[context.orgId] ?? { totp: false, webauthn: [] };
  const batch = records.createBatch();
  batch.collection('webauthn').create({
    id,
    slot: 1,
    type: credential.type,
    label: credential.label,
    key_id: credential.keyId,
    user: credential.userId,
    org: credential.orgRecordId,
    public_key: credential.publicKey,
    counter: credential.counter,
    transports: credential.transports,
    aaguid: credential.aaguid,
    backup_eligible: credential.backupEligible,
    backed_up: credential.backedUp,
    attested: credential.attested,
  });
  batch.collection('gh_activities').create({
    activity: 'webauthnRegister',
    user_id: credential.userId,
    org: credential.orgRecordId,
    data: { type: credential.type, label: credential.label, user: context.login, org: context.orgName },
  });
  batch.collection('gh_users').update(credential.userId, {
    authenticators: {
      ...map,
      [context.orgId]: { ...own, webauthn: [...own.webauthn, { id: credential.keyId }] },
    },
  });
  await batch.send();
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

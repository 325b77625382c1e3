import type PocketBase from 'pocketbase';
import type { BatchService } from 'pocketbase';
import { publicKeySha256 } from '../../../authenticators/logged-credential.ts';
import type { Credential, NewVouch, Vouches } from '../../../authenticators/ports.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import { createIfNew, first, isMissingInBatch, type StoreClient } from '../client.ts';
import { newRecordId } from '../records/record-id.ts';
import type { RecordSeals, Row } from '../records/record-seals.ts';
import { addMarker, decidePending } from './add-and-remove.ts';
import { type CredentialRecord, EXPAND, toCredential } from './credentials.ts';

type VouchRecord = Row & { credential: string };

const WAITING = 'org = {:org} && pending = "vouch"';
/** `vouched` only keeps a list short: the vouch itself, with its MAC, is what decides. */
const EXISTING = 'pending = "" && enrolled != "vouched" && enrolled != "operator" && vouched = false';
/** Those who left may still have records. An outside collaborator may wait, and isn't listed as a member. */
const OF_MEMBERS = 'user.org_members_via_user.org ?= {:org}';

export function createVouches(client: StoreClient, log: ActivityLog, seals: RecordSeals): Vouches {
  const among = async (credentialIds: string[]) => {
    if (credentialIds.length === 0) return new Set<string>();
    const found = await client.run((records) =>
      records.collection('vouches').getFullList<VouchRecord>({
        filter: credentialIds.map((id) => records.filter('credential = {:id}', { id })).join(' || '),
        expand: 'org',
      }),
    );
    const ours = found.filter((record) => seals.isOurs('vouches', record));
    return new Set(ours.map(({ credential }) => credential));
  };

  return {
    among,

    async waiting(org, { existing, most }) {
      const list = async (filter: string, first: number) => {
        const page = await client.run((records) =>
          records.collection('webauthn').getList<CredentialRecord>(1, first, {
            filter: records.filter(filter, { org }),
            sort: 'created,id',
            expand: EXPAND,
            skipTotal: true,
          }),
        );
        return page.items;
      };
      // Those that wait come before those that still count.
      const found = await list(WAITING, most);
      if (existing && found.length < most)
        found.push(...(await list(`org = {:org} && ${EXISTING} && ${OF_MEMBERS}`, most - found.length)));
      return found
        .filter((record) => seals.isOurs('webauthn', record))
        .map((record) => ({ credential: toCredential(record), holder: holderIn(record) }));
    },

    async confirm(credential, vouch, effects) {
      return client.run(async (records) => {
        const stored = await readUnchanged(records, seals, credential);
        if (!stored) return false;
        const record = toRecord(seals, credential, vouch);
        const change = (batch: BatchService) => {
          if (credential.pending !== '') {
            const { enrolled, addedWith = '' } = vouch;
            const confirmed = { pending: '', enrolled, added_with: addedWith };
            const mac = seals.macOf('webauthn', { ...stored, ...confirmed });
            decidePending(batch, credential.id);
            batch.collection('webauthn').update(credential.id, { ...confirmed, mac });
            addMarker(batch, vouch.holder, 'upsert');
          }
          batch.collection('webauthn').update(credential.id, { vouched: true });
          batch.collection('vouches').create(record);
        };
        try {
          return (await createIfNew(() => log.send(effects, { change }))) !== null;
        } catch (error) {
          if (isMissingInBatch(error)) return false;
          throw error;
        }
      });
    },
  };
}

function holderIn({ expand }: CredentialRecord): { id: number; login: string } {
  return { id: expand?.user?.github_id ?? 0, login: expand?.user?.username ?? '' };
}

/** Never signs a record that was changed since it was read. */
async function readUnchanged(
  records: PocketBase,
  seals: RecordSeals,
  credential: Credential,
): Promise<CredentialRecord | null> {
  const stored = await first<CredentialRecord>(
    records,
    'webauthn',
    'id = {:id}',
    { id: credential.id },
    { expand: EXPAND },
  );
  if (!stored || !seals.isOurs('webauthn', stored)) return null;
  const isSame = stored.pending === credential.pending && stored.public_key === credential.publicKey;
  return isSame ? stored : null;
}

function toRecord(seals: RecordSeals, credential: Credential, vouch: NewVouch): object {
  const { holder, voucher, proof } = vouch;
  const fields = {
    id: newRecordId(),
    credential: credential.id,
    public_key_sha256: publicKeySha256(credential.publicKey),
    org: holder.org.recordId,
    holder_id: holder.githubId,
    voucher_id: voucher.githubId,
    voucher_login: voucher.login,
    enrolled: vouch.enrolled,
    statement: proof?.statement ?? null,
    assertion: proof?.assertion ?? null,
    public_key: proof?.publicKey ?? '',
  };
  const mac = seals.macOf('vouches', { ...fields, expand: { org: { org_id: holder.org.id } } });
  return { ...fields, mac };
}

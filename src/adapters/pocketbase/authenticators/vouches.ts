import type { BatchService } from 'pocketbase';
import { publicKeySha256 } from '../../../authenticators/logged-credential.ts';
import type { Credential, NewVouch, Vouches } from '../../../authenticators/ports.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import { type StoreClient, tryToStore } from '../client.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { newRecordId, recordsOf } from '../records/records-of.ts';
import { addMarker, decidePending } from './add-and-remove.ts';
import { type CredentialRecord, EXPAND, toCredential } from './credentials.ts';

const WAITING = 'org = {:org} && pending = "vouch"';
/** `vouched` only keeps a list short: the vouch itself, with its MAC, is what decides. */
const UNVOUCHED = 'pending = "" && enrolled != "vouched" && enrolled != "operator" && vouched = false';
/** Former members may still have records. An outside collaborator may wait, and isn't listed as a member. */
const OF_MEMBERS = 'user.org_members_via_user.org ?= {:org}';

export function createVouches(client: StoreClient, log: ActivityLog, seals: RecordSeals): Vouches {
  const among = async (credentialIds: string[]) => {
    const found = await recordsOf(client, 'vouches').allOf(
      'credential',
      credentialIds,
      {},
      { expand: 'org' },
    );
    const ours = found.filter((record) => seals.isOurs('vouches', record));
    return new Set(ours.map(({ credential }) => credential));
  };

  const credentials = recordsOf<CredentialRecord>(client, 'webauthn');
  return {
    among,

    async waiting(org, { unvouchedToo, most }) {
      const list = (filter: string, first: number) =>
        credentials.page(first, [filter, { org }], { sort: 'created,id', expand: EXPAND });
      // Waiting authenticators come before authenticators that need a vouch later, which still count.
      const found = await list(WAITING, most);
      if (unvouchedToo && found.length < most)
        found.push(...(await list(`org = {:org} && ${UNVOUCHED} && ${OF_MEMBERS}`, most - found.length)));
      return found
        .filter((record) => seals.isOurs('webauthn', record))
        .map((record) => ({ credential: toCredential(record), holder: holderIn(record) }));
    },

    async confirm(credential, vouch, effects) {
      const stored = await credentials.first({ id: credential.id }, { expand: EXPAND });
      // Never signs a record that was changed since it was read.
      if (!stored || !seals.isOurs('webauthn', stored) || !isSame(stored, credential)) return false;
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
      return tryToStore(() => log.send(effects, { change }));
    },
  };
}

function holderIn({ expand }: CredentialRecord): { id: number; login: string } {
  return { id: expand?.user?.github_id ?? 0, login: expand?.user?.username ?? '' };
}

const isSame = (stored: CredentialRecord, credential: Credential) =>
  stored.pending === credential.pending && stored.public_key === credential.publicKey;

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
  return seals.signed('vouches', fields, { org: { org_id: holder.org.id } });
}

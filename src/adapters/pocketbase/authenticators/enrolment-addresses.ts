import type { BatchService } from 'pocketbase';
import type { Admission, EnrolmentAddresses, Holder } from '../../../authenticators/ports.ts';
import type { StoreClient } from '../client.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { recordIdOf, recordsOf } from '../records/records-of.ts';

/** The address has to be free: a forged record of it blocks the address, and lets nobody in. */
export function createEnrolmentAddresses(client: StoreClient): EnrolmentAddresses {
  return {
    async holderOf(orgRecordId, folded) {
      const addresses = recordsOf(client, 'enrolment_addresses');
      const found = await addresses.first({ org: orgRecordId, folded });
      return found?.github_id ?? null;
    },
  };
}

/** Saves the address of this admission, if it needed one, instead of the person's earlier address there. */
export function addAddress(
  batch: BatchService,
  seals: RecordSeals,
  { admission, holder, githubId }: { admission: Admission; holder: Holder; githubId: number },
): void {
  if (admission.order !== 'first' || !admission.address) return;
  const fields = {
    id: recordIdOf(`address:${holder.org.recordId}:${githubId}`),
    org: holder.org.recordId,
    github_id: githubId,
    ...admission.address,
  };
  const org = { org_id: holder.org.id };
  batch.collection('enrolment_addresses').upsert(seals.signed('enrolment_addresses', fields, { org }));
}

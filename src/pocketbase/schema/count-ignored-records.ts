import type { SecretKeys } from '../../derived-keys.ts';
import { createRecordMac } from '../../record-mac.ts';
import type { StoreClient } from '../client.ts';
import { coverageOf, coveredValues } from '../records/covered-fields.ts';
import { changeEachRecord } from './each-record.ts';
import { COVERED_COLLECTIONS } from './seal-records.ts';

/** How many records no known key has signed. OTP Guard ignores them, as after the restore of a backup of another key. */
export async function countIgnoredRecords(client: StoreClient, keys: SecretKeys): Promise<number> {
  const mac = createRecordMac(keys);
  let ignored = 0;
  for (const collection of COVERED_COLLECTIONS) {
    const { expand } = coverageOf(collection);
    await changeEachRecord(
      client,
      collection,
      (row) => {
        if (!mac.verify(collection, row.id, coveredValues(collection, row), String(row.mac ?? '')))
          ignored += 1;
        return null;
      },
      { expand },
    );
  }
  return ignored;
}

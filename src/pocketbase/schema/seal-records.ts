import { createRecordMac } from '../../record-mac.ts';
import { createSecretKeys } from '../../secret-key.ts';
import type { Config } from '../../settings/config.ts';
import type { StoreClient } from '../client.ts';
import {
  COVERED_FIELDS,
  type CoveredCollection,
  coverageOf,
  coveredValues,
} from '../records/covered-fields.ts';
import { changeEachRecord } from './each-record.ts';

export const COVERED_COLLECTIONS = Object.keys(COVERED_FIELDS) as CoveredCollection[];

/** A challenge is valid for a minute, so none that is older than the upgrade is worth it. */
export const LASTING = COVERED_COLLECTIONS.filter((collection) => collection !== 'challenges');

/**
 * Gives each record without a MAC its own. A record whose MAC doesn't verify
 * stays as it is, and isn't counted.
 *
 * @returns How many records of each collection got one.
 */
export async function sealRecordsWithoutMac(
  client: StoreClient,
  config: Pick<Config, 'store' | 'secretKeys'>,
): Promise<Record<string, number>> {
  const mac = createRecordMac(createSecretKeys(config));
  const counts: Record<string, number> = {};
  for (const collection of LASTING) {
    const { expand } = coverageOf(collection);
    const seal = (row: Parameters<typeof coveredValues>[1]) => ({
      mac: mac.sign(collection, row.id, coveredValues(collection, row)),
    });
    counts[collection] = await changeEachRecord(client, collection, seal, { filter: 'mac = ""', expand });
  }
  return counts;
}

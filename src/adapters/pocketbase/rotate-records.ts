import { createSealer } from '../../authenticators/seal.ts';
import { createRecordMac, type SecretKeys } from '../../shared/crypto.ts';
import type { StoreClient } from './client.ts';
import { COLLECTIONS } from './collections.ts';
import {
  COVERED_COLLECTIONS,
  type CoveredCollection,
  createRecordSeals,
  expandOf,
  type Row,
  sealContext,
} from './records/record-seals.ts';
import { recordsOf } from './records/records-of.ts';
import type { CollectionDefinition } from './schema/definition.ts';

const PAGE = 50;
/** The signing keys are last: a start reads from them which key the records have, so the old one can't go too early. */
const ORDER = [...COVERED_COLLECTIONS.filter((name) => name !== 'signing_keys'), 'signing_keys' as const];

/**
 * Seals every record again under the current key, also while the product runs.
 * A record that no known key has signed stays as it is, so a forged one never
 * becomes valid. Calling it again continues where it stopped.
 *
 * @returns How many records were sealed again, and how many weren't because OTP Guard didn't write them.
 */
export async function rotateRecords(
  client: StoreClient,
  keys: SecretKeys,
): Promise<{ resealed: number; refused: number }> {
  const total = { resealed: 0, refused: 0 };
  for (;;) {
    const round = await rotateOnce(client, keys);
    total.resealed += round.resealed;
    total.refused = round.refused;
    // A record can be saved under the older key while a round passes.
    if (round.resealed === 0) return total;
  }
}

async function rotateOnce(client: StoreClient, keys: SecretKeys) {
  const mac = createRecordMac(keys);
  const seals = createRecordSeals(mac, () => undefined);
  const sealer = createSealer(keys);
  const round = { resealed: 0, refused: 0 };
  for (const collection of ORDER) {
    const records = recordsOf<Row>(client, collection);
    const rotate = async (row: Row) => {
      if (!seals.isOurs(collection, row)) {
        round.refused += 1;
        return;
      }
      if (mac.isCurrent(String(row.mac))) return;
      const fields = fieldsToSave(collection, row, sealer);
      // A record that was removed in the meantime is left out.
      await records.updateIfThere(row.id, { ...fields, mac: seals.macOf(collection, { ...row, ...fields }) });
      const now = await readChanges(client, collection, row);
      if (Object.entries(now).some(([name, value]) => value !== (row[name] ?? '')))
        await records.update(row.id, { mac: seals.macOf(collection, { ...row, ...now }) });
      round.resealed += 1;
    };
    for await (const rows of records.pages(PAGE, { expand: expandOf(collection) }))
      for (const row of rows) await rotate(row);
  }
  return round;
}

/**
 * An approval that was withdrawn since it was read got a MAC that the rotation has replaced. Without the withdrawal
 * in the new one, it would look forged, and its check would stay green for longer. It's the same with a vouch.
 */
async function readChanges(
  client: StoreClient,
  collection: CoveredCollection,
  { id }: Row,
): Promise<Record<string, unknown>> {
  const { changesOnce: names }: CollectionDefinition = COLLECTIONS[collection];
  if (!names) return {};
  const found = await recordsOf<Row>(client, collection).first({ id });
  return Object.fromEntries(found ? names.map((name) => [name, found[name] ?? '']) : []);
}

/** The covered fields that are saved together with the MAC: those of the collection, and the sealed ones, sealed again. */
function fieldsToSave(
  collection: CoveredCollection,
  row: Row,
  sealer: ReturnType<typeof createSealer>,
): Record<string, unknown> {
  const { savedWithMac = [], sealed = [] }: CollectionDefinition = COLLECTIONS[collection];
  const sealAgain = (field: string) => {
    const context = sealContext(collection, row.id, field as never);
    return sealer.seal(sealer.open(String(row[field]), context), context);
  };
  return Object.fromEntries([
    ...savedWithMac.map((field) => [field, row[field]]),
    ...sealed.map((field) => [field, sealAgain(field)]),
  ]);
}

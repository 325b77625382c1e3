import { createRecordMac, type SecretKeys } from '../../../shared/crypto.ts';
import { isMissing, type StoreClient } from '../client.ts';
import { coveredValues, type Row } from '../records/record-seals.ts';
import { recordsOf } from '../records/records-of.ts';
import { DEFINITIONS, type RecordOf } from '../schema/collections.ts';

/** RFC 6238's default time step. */
const STEP_S = 30;
/** The current code and those of the next two steps are refused, as one of them may already have been used. */
const REFUSED_STEPS = 2;

/**
 * After a restore, what was used up since the backup looks unused. So this ends
 * everything people had begun, and refuses each one-time code that may already
 * have been used. Every session ended when the archive was packed.
 */
export async function invalidateRestoredState(client: StoreClient, now: Date): Promise<void> {
  for (const [collection, { restored }] of DEFINITIONS)
    if (restored === 'emptied') await client.run((records) => records.collections.truncate(collection));
  const step = Math.floor(now.getTime() / 1000 / STEP_S) + REFUSED_STEPS;
  const steps = recordsOf(client, 'totp_steps');
  for (const { id: totp } of await recordsOf(client, 'totps').all('', {}, { fields: 'id' }))
    await steps.createIfNew({ totp, step });
}

/**
 * The signing keys of the store, if OTP Guard wrote them. A backup lacks those that were made after it. Without
 * them, nobody could verify what they signed, such as the checkpoints on GitHub.
 */
export async function readSigningKeys(client: StoreClient, keys: SecretKeys): Promise<Row[]> {
  const mac = createRecordMac(keys);
  const found = await recordsOf(client, 'signing_keys')
    .all('', {})
    .catch((error: unknown) => {
      // An empty store.
      if (isMissing(error)) return [];
      throw error;
    });
  return found.filter((row) =>
    mac.verify('signing_keys', row.id, coveredValues('signing_keys', row), String(row.mac)),
  );
}

/** Adds those that the restored store doesn't have. The newest of all goes on signing. */
export async function putBackSigningKeys(client: StoreClient, keys: Row[]): Promise<void> {
  const stored = recordsOf(client, 'signing_keys');
  for (const { id, number, public_key, secret, mac } of keys)
    await stored.createIfNew({ id, number, public_key, secret, mac } as RecordOf<'signing_keys'>);
}

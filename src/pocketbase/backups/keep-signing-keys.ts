import type { SecretKeys } from '../../derived-keys.ts';
import { createRecordMac } from '../../record-mac.ts';
import { createIfNew, isMissing, type StoreClient } from '../client.ts';
import { coveredValues, type Row } from '../records/covered-fields.ts';

/**
 * The signing keys of the store, if OTP Guard wrote them. A backup lacks those that were made after it. Without
 * them, nobody could verify what they signed, such as the checkpoints on GitHub.
 */
export async function readSigningKeys(client: StoreClient, keys: SecretKeys): Promise<Row[]> {
  const mac = createRecordMac(keys);
  const found = await client
    .run((records) => records.collection('signing_keys').getFullList<Row>())
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
  for (const { id, number, public_key, secret, mac } of keys)
    await createIfNew(() =>
      client.run((records) =>
        records.collection('signing_keys').create({ id, number, public_key, secret, mac }),
      ),
    );
}

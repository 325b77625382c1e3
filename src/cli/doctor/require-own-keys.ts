import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createSigningKeys } from '../../adapters/pocketbase/audit/signing-keys.ts';
import { isMissing, type StoreClient } from '../../adapters/pocketbase/client.ts';
import { createRecordSeals } from '../../adapters/pocketbase/records/record-seals.ts';
import { otherKey } from '../../adapters/pocketbase/schema/seal-marker.ts';
import { createSealer } from '../../authenticators/seal.ts';
import type { Config } from '../../settings/config.ts';
import { AppError } from '../../shared/app-error.ts';
import { createRecordMac } from '../../shared/record-mac.ts';
import { createSecretKeys } from '../../shared/secret-key.ts';
import { StartError } from '../../shared/start-error.ts';

/**
 * Opens the signing key of the log with SECRET_KEY, as each approval does. Nothing is created: a store without one, as
 * before the first start, is fine.
 *
 * @throws StartError with a sentence if SECRET_KEY isn't the key of these records.
 */
export async function requireOwnKeys(config: Config, client: StoreClient): Promise<void> {
  const found = await client
    .run((records) => records.collection('signing_keys').getList(1, 1, { skipTotal: true }))
    .catch((error: unknown) => {
      if (isMissing(error)) return { items: [] };
      throw error;
    });
  if (found.items.length === 0) return;
  const { store, secretKeys } = config;
  const file =
    store.kind === 'embedded' && secretKeys.length === 0 ? join(store.dataDir, 'secret.key') : null;
  if (file !== null && !existsSync(file))
    throw new StartError(
      `${file} is missing: the records were sealed with it. Put back the copy that you kept.`,
    );
  const keys = createSecretKeys(config);
  const seals = createRecordSeals(createRecordMac(keys), () => undefined);
  await createSigningKeys(client, createSealer(keys), seals)
    .current()
    .catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'storeUnavailable' ? error : otherKey();
    });
}

import type { Sealer } from '../../../authenticators/seal.ts';
import type { StoreClient } from '../client.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { createActivityLog } from './activity-log.ts';
import { createLogReader } from './log-reader.ts';
import { createSigningKeys } from './signing-keys.ts';

/** @param options.onChanged Alerts the operators that an organization's log was changed by somebody else. */
export function createAuditStores(
  client: StoreClient,
  options: { sealer: Sealer; seals: RecordSeals; publicUrl: string; onChanged(org: string): void },
) {
  const signingKeys = createSigningKeys(client, options.sealer, options.seals);
  return {
    activityLog: createActivityLog(client, signingKeys, options),
    logReader: createLogReader(client, signingKeys),
    signingKeys,
  };
}

import { type ActivityLog, createActivityLog } from '../../src/adapters/pocketbase/audit/activity-log.ts';
import { createSigningKeys } from '../../src/adapters/pocketbase/audit/signing-keys.ts';
import type { StoreClient } from '../../src/adapters/pocketbase/client.ts';
import { createSealer } from '../../src/authenticators/seal.ts';
import { recordSeals, SECRET_KEY } from './stores.ts';

/** The signing keys of a store, sealed with the tests' key. */
export const signingKeysOf = (client: StoreClient) =>
  createSigningKeys(
    client,
    createSealer(() => [SECRET_KEY]),
    recordSeals(),
  );

const logs = new WeakMap<StoreClient, ActivityLog>();

/** The activity log of a store, as one process has it. */
export function activityLogOf(client: StoreClient): ActivityLog {
  const log =
    logs.get(client) ??
    createActivityLog(client, signingKeysOf(client), { publicUrl: 'http://localhost:3000' });
  logs.set(client, log);
  return log;
}

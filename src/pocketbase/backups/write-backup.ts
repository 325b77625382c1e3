import { createSecretKeys, secretKeys } from '../../secret-key.ts';
import type { Config } from '../../settings/config.ts';
import type { StoreClient } from '../client.ts';
import { otherKey, requireSealingKey } from '../schema/seal-marker.ts';
import { backupRecipient } from './backup-identity.ts';
import { createBackup } from './create-backup.ts';
import { inspectArchive } from './inspect-archive.ts';
import type { OpenedArchive } from './open-archive.ts';
import { temporaryFolder } from './temporary-store.ts';

/**
 * Writes a backup of the record store to a new file.
 *
 * @throws StartError if the file exists, or if `SECRET_KEY` isn't the key of the records: only that wrong key would
 *   open the backup.
 */
export async function writeBackup(
  { config, client }: { config: Config; client: StoreClient },
  { path, now }: { path: string; now: Date },
): Promise<object> {
  // Without a marker, as for an external store, the records themselves show which key sealed them.
  const isKnown = requireSealingKey(config);
  const check = async (archive: OpenedArchive) => {
    const { verified, foreign } = await inspectArchive(archive, createSecretKeys(config));
    if (foreign > 0 && verified === 0) throw otherKey();
  };
  const bytes = await createBackup(client, {
    path,
    recipient: await backupRecipient(secretKeys(config)[0]),
    folder: temporaryFolder(config.store),
    now,
    ...(!isKnown && { check }),
  });
  return { backedUp: true, file: path, bytes };
}

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { storeFolder } from '../process/data-folder.ts';
import { removeTemporaryStores } from './temporary-store.ts';

/**
 * Removes the unencrypted copies of a backup or restore whose process died in
 * the middle. Call it only while no record store runs over `dataDir`.
 */
export async function removeLeftovers(dataDir: string): Promise<void> {
  await removeTemporaryStores(dataDir);
  const backups = join(storeFolder(dataDir), 'data', 'backups');
  const names = await readdir(backups).catch(() => []);
  for (const name of names.filter((one) => one.startsWith('otp_guard_'))) await rm(join(backups, name));
}

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMAND_FOLDER_PREFIX } from '../process/commands.ts';
import { storeFolder } from '../process/data-folder.ts';
import { removeTemporaryStores } from './temporary-store.ts';

/**
 * Removes what a process left that died in the middle: the unencrypted copies of
 * a backup or restore, and commands with their input. Call it only while no record store runs over `dataDir`.
 */
export async function removeLeftovers(dataDir: string): Promise<void> {
  await removeTemporaryStores(dataDir);
  const store = storeFolder(dataDir);
  await removeThose(join(store, 'data', 'backups'), 'otp_guard_');
  await removeThose(store, COMMAND_FOLDER_PREFIX);
}

async function removeThose(folder: string, prefix: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(prefix)))
    await rm(join(folder, name), { recursive: true });
}

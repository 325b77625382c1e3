import { rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMAND_FOLDER_PREFIX } from './commands.ts';
import { storeFolder } from './data-folder.ts';
import { isLocked } from './folder-lock.ts';

/**
 * Removes the folder of a store as this process exits. PocketBase, which was just killed, can still create a file in it, and
 * then a removal fails.
 */
export function removeAtExit(folder: string): void {
  for (let tries = 1; ; tries += 1)
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (tries === 50) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
}

/** Removes what processes left that died while they opened a backup: a folder holds it without encryption. */
export async function removeTemporaryStores(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((one) => one.startsWith('otp-guard-opening-')))
    try {
      const folder = join(parent, name);
      if (!isLocked(folder, 'store')) await rm(folder, { recursive: true });
    } catch {
      // The system's temporary folder can have those of another user.
    }
}

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

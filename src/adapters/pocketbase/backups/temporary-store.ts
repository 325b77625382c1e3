import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreConfig } from '../../../settings/config.ts';
import { storeFolder } from '../process/data-folder.ts';
import { isAlive, thisProcess } from '../process/process-identity.ts';

const PREFIX = 'otp-guard-opening-';

/** Beside the data, which is protected like a backup without encryption has to be. An external store has no folder here. */
export const temporaryFolder = (store: StoreConfig) => (store.kind === 'embedded' ? store.dataDir : tmpdir());

/**
 * Creates the folder of a temporary record store in `parent`, readable by its
 * owner only. Its name says which process uses it.
 */
export async function createTemporaryStore(parent: string): Promise<{ dataDir: string; backups: string }> {
  await removeTemporaryStores(parent);
  const { pid, began } = thisProcess();
  const dataDir = await mkdtemp(join(parent, `${PREFIX}${pid}-${began}-`));
  const backups = join(storeFolder(dataDir), 'data', 'backups');
  await mkdir(backups, { recursive: true, mode: 0o700 });
  return { dataDir, backups };
}

/** Removes what processes left that died while they opened a backup: a folder holds it without encryption. */
export async function removeTemporaryStores(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const [, pid, began = ''] = /^otp-guard-opening-(\d+)-(\d*)-/.exec(name) ?? [];
    if (pid === undefined || isAlive({ pid: Number(pid), began })) continue;
    // In the system's temporary folder, it can be another user's.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

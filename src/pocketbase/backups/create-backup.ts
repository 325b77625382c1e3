import { createWriteStream } from 'node:fs';
import { access, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type PocketBase from 'pocketbase';
import { StartError } from '../../start-error.ts';
import { ignoreMissing, type StoreClient } from '../client.ts';
import { backupName } from './backup-name.ts';

/**
 * Writes a snapshot of the record store to `path`, readable by its owner only.
 * The store keeps working meanwhile.
 *
 * @returns The backup's size in bytes.
 * @throws StartError if the file already exists.
 */
export async function createBackup(client: StoreClient, path: string, now: Date): Promise<number> {
  const name = backupName(now);
  await mkdir(dirname(path), { recursive: true });
  if (await exists(path)) throw new StartError(`${path} already exists. Choose another file.`);
  return client.run(async (records) => {
    await records.backups.create(name);
    try {
      await download(records, name, path);
      return (await stat(path)).size;
    } finally {
      await records.backups.delete(name).catch(ignoreMissing);
    }
  });
}

/** Writes to a `.part` file first, so that a failed download leaves nothing that looks like a backup. */
async function download(records: PocketBase, name: string, path: string): Promise<void> {
  const part = `${path}.part`;
  try {
    const token = await records.files.getToken();
    const answer = await fetch(records.backups.getDownloadURL(token, name));
    if (!answer.ok || !answer.body) throw new Error(`the record store answered ${answer.status}`);
    await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(part, { mode: 0o600 }));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { verifyBinary } from '../process/binary.ts';
import type { Superuser } from '../process/superuser.ts';
import { cleanAndPack, unpack } from './clean-store.ts';
import { requireArchive } from './require-archive.ts';
import { createTemporaryStore } from './temporary-store.ts';

/** A checked archive in a temporary store's backup folder. */
export type OpenedArchive = {
  path: string;
  /** The temporary store's folder, with what the archive contains. */
  dataDir: string;
  /** The record store's binary, which was verified. */
  binary: string;
  remove(): Promise<void>;
};

const SOURCE = 'otp_guard_source.zip';

/**
 * Opens an archive of a record store in a temporary one, and packs it again
 * without anything that could be used against a running store. So the archive
 * is known to open, and the database in it to be intact.
 *
 * @param input.folder Where the temporary store is, with room for about three times the data.
 * @param input.superuser The packed archive's only superuser; by default one whose password nobody knows.
 * @throws NotAnArchive if `source` isn't a complete archive, any error of `source`, Error if no store starts from it.
 */
export async function openArchive(
  source: Readable,
  input: { folder: string; name: string; superuser?: Superuser | undefined },
): Promise<OpenedArchive> {
  // Only once, because hashing the binary takes as long as each of these commands.
  const binary = await verifyBinary();
  const { dataDir, backups } = await createTemporaryStore(input.folder);
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const received = join(backups, SOURCE);
    await pipeline(source, createWriteStream(received, { mode: 0o600, flags: 'wx' }));
    await requireArchive(received);
    await unpack(dataDir, SOURCE, binary);
    await rm(received);
    await cleanAndPack(dataDir, input.name, { superuser: input.superuser, binary });
    return { path: join(backups, input.name), dataDir, binary, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

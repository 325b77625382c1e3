import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { DamagedStore, isDiskFull, StartError } from '../../../shared/app-error.ts';
import { isAgeFile, openEncrypted, WrongIdentity } from './age-file.ts';
import { type OpenedArchive, openArchive } from './open-archive.ts';

type OpenBackupInput = {
  path: string;
  /** Asked for only if the backup is encrypted. */
  readIdentities(): string[];
  folder: string;
  /** Called for a backup that isn't encrypted. */
  onPlain(): void;
};

/**
 * Opens a backup in a temporary record store. A file can be complete and the
 * database in it damaged, and that must not replace a healthy store.
 *
 * @throws StartError with one sentence if the backup can't be read or opened, or no store runs on this platform.
 */
export async function openBackup(input: OpenBackupInput): Promise<OpenedArchive> {
  const { path } = input;
  await access(path, constants.R_OK).catch(() => {
    throw new StartError(`${path} cannot be read.`);
  });
  try {
    const isEncrypted = await isAgeFile(path);
    const source = isEncrypted ? await openEncrypted(path, input.readIdentities()) : createReadStream(path);
    const opened = await openArchive(source, input.folder);
    if (!isEncrypted) input.onPlain();
    return opened;
  } catch (error) {
    // The system's own errors, such as a full disk, say nothing about the backup.
    const isDamaged = error instanceof DamagedStore;
    if (!isDamaged && (error instanceof StartError || isOfSystem(error as Error))) throw error;
    throw new StartError(reasonOf(error, path), { cause: error });
  }
}

const isOfSystem = (error: NodeJS.ErrnoException) => error.syscall !== undefined || isDiskFull(error.message);

function reasonOf(error: unknown, path: string): string {
  if (error instanceof WrongIdentity)
    return `${path} is encrypted for another key. Put the SECRET_KEY that it was made with behind the present one.`;
  return `${path} is damaged or is not a backup: the record store does not start from it. Use another backup.`;
}

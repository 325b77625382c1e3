import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isAgeFile, openEncrypted, WrongIdentity, writeEncrypted } from './age-file.ts';

type Keys = { identities: readonly string[]; recipient: string };

/**
 * Encrypts a backup again, for another recipient. The file is replaced in one
 * step, after all of it was authenticated.
 *
 * @returns False if none of the identities opens it; it's unchanged then.
 * @throws Error if the backup is damaged; it's unchanged then.
 */
export async function reencryptBackup(path: string, { identities, recipient }: Keys): Promise<boolean> {
  try {
    await writeEncrypted(await openEncrypted(path, identities), path, recipient);
    return true;
  } catch (error) {
    if (error instanceof WrongIdentity) return false;
    throw new Error(`${path} is damaged, and was not encrypted again.`, { cause: error });
  }
}

/**
 * Encrypts all backups in a folder again. Safe to repeat, also after a process
 * died in the middle.
 *
 * @returns The files that were encrypted again, and those that weren't: damaged, or for another recipient.
 */
export async function reencryptBackups(
  folder: string,
  keys: Keys,
): Promise<{ reencrypted: string[]; unopened: string[] }> {
  const done = { reencrypted: [] as string[], unopened: [] as string[] };
  for (const name of (await readdir(folder).catch(() => [])).sort()) {
    const path = join(folder, name);
    if (!name.endsWith('.age') || !(await isAgeFile(path))) continue;
    const isDone = await reencryptBackup(path, keys).catch(() => false);
    done[isDone ? 'reencrypted' : 'unopened'].push(path);
  }
  return done;
}

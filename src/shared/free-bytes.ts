import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What our user can still write on the disk of the folder, or of the nearest one that exists. */
export async function freeBytes(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => null);
  if (found) return found.bavail * found.bsize;
  return freeBytes(dirname(folder));
}

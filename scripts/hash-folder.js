import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The first twelve hexadecimal digits of a SHA-256 over the paths and contents of all files in a folder. */
export async function hashFolder(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const path of paths.sort()) {
    const content = await readFile(path);
    hash.update(JSON.stringify([relative(folder, path), content.length])).update(content);
  }
  return hash.digest('hex').slice(0, 12);
}

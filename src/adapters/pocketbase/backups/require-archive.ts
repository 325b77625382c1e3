import { open } from 'node:fs/promises';

/** The file isn't a complete archive of a record store. */
export class NotAnArchive extends Error {}

/** Enough for the directory at the end of an archive that holds the few files of a store. */
const LONGEST_DIRECTORY = 1024 * 1024;

/**
 * Checks by its first and last bytes that a file is a complete archive of a
 * record store.
 *
 * @throws NotAnArchive if it isn't.
 */
export async function requireArchive(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const tail = Math.min(size, LONGEST_DIRECTORY);
    const [{ buffer: start }, { buffer: end }] = await Promise.all([
      file.read(Buffer.alloc(4), 0, 4, 0),
      file.read(Buffer.alloc(tail), 0, tail, size - tail),
    ]);
    // A truncated archive has lost the directory at its end, and another archive doesn't list the database in it.
    const isComplete = ['PK\u0005\u0006', 'data.db'].every((mark) => end.includes(mark, 0, 'latin1'));
    if (start.toString('latin1') !== 'PK\u0003\u0004' || !isComplete) throw new NotAnArchive();
  } finally {
    await file.close();
  }
}

import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Decrypter, Encrypter } from 'age-encryption';

/** The first line of an age file (age-encryption.org/v1). */
const VERSION_LINE = 'age-encryption.org/v1\n';
const CHUNK = 1024 * 1024;

/** The error of the library if no identity is one of the file's recipients. It has no class of its own. */
const NO_MATCH = /no identity matched/;

/** None of the identities opens the file. */
export class WrongIdentity extends Error {}

/** Tells whether the file begins like a file that age encrypted. */
export async function isAgeFile(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(VERSION_LINE.length), 0, VERSION_LINE.length, 0);
    return buffer.toString('latin1') === VERSION_LINE;
  } finally {
    await file.close();
  }
}

/**
 * Writes `source` to `path`, encrypted for `recipient` and readable by its owner
 * only. Writes to a `.part` file first, so that nobody finds half a backup, and
 * replaces `path` in one step.
 */
export async function writeEncrypted(source: Readable, path: string, recipient: string): Promise<void> {
  const part = `${path}.part`;
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  try {
    // A file that already exists would keep its mode.
    await rm(part, { force: true });
    const encrypted = await encrypter.encrypt(Readable.toWeb(source) as ReadableStream<Uint8Array>);
    // Opened before anything can fail: else it could appear after it was removed.
    const target = await open(part, 'wx', 0o600);
    await pipeline(Readable.fromWeb(encrypted as never), target.createWriteStream({ flush: true }));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/**
 * Decrypts the content of the file. Age authenticates each 64 KiB and the end, so
 * the stream fails if anything was changed or is missing.
 *
 * @throws WrongIdentity if none of the identities opens it, Error if its header is damaged.
 */
export async function openEncrypted(path: string, identities: readonly string[]): Promise<Readable> {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  const file = createReadStream(path, { highWaterMark: CHUNK });
  try {
    return Readable.fromWeb(
      (await decrypter.decrypt(Readable.toWeb(file) as ReadableStream<Uint8Array>)) as never,
    );
  } catch (error) {
    file.destroy();
    throw NO_MATCH.test((error as Error).message) ? new WrongIdentity() : error;
  }
}

/**
 * Encrypts all backups in a folder again, for another recipient. Each file is replaced in one step, after all of it was
 * authenticated. Safe to repeat, even after a process died in the middle.
 *
 * @returns The files that were encrypted again, and the files that weren't: damaged, or for another recipient.
 */
export async function reencryptBackups(
  folder: string,
  { identities, recipient }: { identities: readonly string[]; recipient: string },
): Promise<{ reencrypted: string[]; unopened: string[] }> {
  const done = { reencrypted: [] as string[], unopened: [] as string[] };
  for (const name of (await readdir(folder).catch(() => [])).sort()) {
    const path = join(folder, name);
    if (!name.endsWith('.age') || !(await isAgeFile(path))) continue;
    try {
      await writeEncrypted(await openEncrypted(path, identities), path, recipient);
      done.reencrypted.push(path);
    } catch {
      done.unopened.push(path);
    }
  }
  return done;
}

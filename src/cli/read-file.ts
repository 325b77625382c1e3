import { readFile, stat } from 'node:fs/promises';
import { UncheckedError, UnreadableError, UsageError } from './usage-error.ts';

/** @throws UsageError if it isn't a file, UnreadableError if it can't be read or is larger than `most` bytes. */
export async function readText(path: string, most: number): Promise<string> {
  const refuse = (error: unknown) => {
    throw refusalOf(path, error as NodeJS.ErrnoException);
  };
  const found = await stat(path).catch(refuse);
  if (!found.isFile()) throw new UsageError(`${path} isn’t a file.`);
  if (found.size > most) throw new UnreadableError(`${path} is larger than ${most / 2 ** 20} MiB.`);
  return readFile(path, 'utf8').catch(refuse);
}

/** Node's message begins with the reason: `EACCES: permission denied, open '…'`. */
function refusalOf(path: string, cause: NodeJS.ErrnoException): Error {
  if (cause.code === 'ENOENT') return new UsageError(`There is no file ${path}.`);
  const [reason] = cause.message.split(',');
  return new UnreadableError(`${path} can’t be read (${reason}).`, { cause });
}

/** @throws UnreadableError if it isn't JSON. */
export async function readJson(path: string, most: number): Promise<unknown> {
  const text = await readText(path, most);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnreadableError(`${path} isn’t JSON.`, { cause });
  }
}

/** Turns an UnreadableError into an UncheckedError: without its keys, nothing is known about a receipt. */
export const orUnchecked = <T>(reading: Promise<T>): Promise<T> =>
  reading.catch((error: unknown) => {
    if (!(error instanceof UnreadableError)) throw error;
    throw new UncheckedError(error.message, { cause: error.cause });
  });

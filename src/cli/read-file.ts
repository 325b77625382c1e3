import { readFile, stat } from 'node:fs/promises';
import { UnreadableError, UsageError } from './usage-error.ts';

/** @throws UsageError if it isn't there, UnreadableError if it's larger than `most` bytes. */
export async function readText(path: string, most: number): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw new UsageError(`There is no file ${path}.`);
  if (found.size > most) throw new UnreadableError(`${path} is larger than ${most / 2 ** 20} MiB.`);
  return readFile(path, 'utf8');
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

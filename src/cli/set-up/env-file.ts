import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual, parseEnv } from 'node:util';

/** Why settings can't be added to the file: one sentence for the operator, without any value. */
export class EnvFileError extends Error {}
class UnwritableEnvFile extends EnvFileError {}

/**
 * The first of the files that can be written, else the first of all, and the page says why. In a container with a
 * read-only file system that's the one in `DATA_DIR`.
 */
export async function findWritable(files: [string, ...string[]]): Promise<string> {
  for (const file of files) {
    const problem = await tryEnvFile(file).catch((error: unknown) => error);
    if (!(problem instanceof UnwritableEnvFile)) return file;
  }
  return files[0];
}

/**
 * Does everything that `addToEnvFile` does, except that the file stays as it is: a failure then comes before there are
 * credentials to keep.
 *
 * @throws EnvFileError if the file can't be read or replaced, or wouldn't be read back as meant.
 */
export const tryEnvFile = (path: string): Promise<void> =>
  withDraft(path, { APP_ID: '1', PRIVATE_KEY: 'a key\n' }, async () => undefined);

/**
 * Adds the settings at the end; every line that was there stays. Replaces the file in one step, with mode 0600: a
 * process that dies in the middle leaves the old file. A link stays a link.
 *
 * @throws EnvFileError as `tryEnvFile` does.
 */
export const addToEnvFile = (path: string, settings: Record<string, string>): Promise<void> =>
  withDraft(path, settings, async (draft, file) => {
    await rename(draft, file);
    await syncFolder(file);
  });

/** Writes the file with the settings behind its content to a draft next to it, which is removed after its use. */
async function withDraft(
  path: string,
  settings: Record<string, string>,
  use: (draft: string, file: string) => Promise<void>,
): Promise<void> {
  const file = await realpath(path).catch(() => path);
  const text = withSettings(await readOld(file), settings);
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600, flush: true });
    await use(draft, file);
  } catch (error) {
    throw unwritable(error);
  } finally {
    await rm(draft, { force: true });
  }
}

/** The text with the settings behind it: of two lines for one setting, the last one counts. */
function withSettings(old: string, settings: Record<string, string>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${quoted(value)}\n`);
  const text = [old, old === '' || old.endsWith('\n') ? '' : '\n', ...lines].join('');
  if (!isDeepStrictEqual({ ...parseEnv(text) }, { ...parseEnv(old), ...settings }))
    throw new EnvFileError("A quote in .env isn't closed. Correct it.");
  return text;
}

const quoted = (value: string) => (value.includes('\n') ? `"${value.replaceAll('\n', '\\n')}"` : value);

async function readOld(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new EnvFileError(`.env can't be read (${code}). Check who may read it.`);
  }
}

const unwritable = (error: unknown) =>
  new UnwritableEnvFile(
    `.env can't be written (${(error as NodeJS.ErrnoException).code}). Check its folder and the free space.`,
  );

/** Without this, a power failure could undo the rename. */
async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}

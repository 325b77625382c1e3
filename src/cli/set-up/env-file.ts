import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual, parseEnv } from 'node:util';

/** Why settings can't be added to the file: one sentence for the operator, without any value. */
export class EnvFileError extends Error {}
class UnwritableEnvFile extends EnvFileError {}

export type EnvFile = {
  /** Adds the settings at the end. Every line that was there stays. */
  add(settings: Record<string, string>): Promise<void>;
  /** Needed in any case: removes the draft. */
  close(): Promise<void>;
};

/**
 * The first of the files that can be written, else the first of all, and the page says why. In a container with a
 * read-only file system that's the one in `DATA_DIR`.
 */
export async function findWritable(files: [string, ...string[]]): Promise<string> {
  for (const file of files) {
    const problem = await openEnvFile(file).then(
      (draft) => draft.close(),
      (error: unknown) => error,
    );
    if (!(problem instanceof UnwritableEnvFile)) return file;
  }
  return files[0];
}

/**
 * Opens a draft beside the file, so that what can fail fails before there are
 * credentials to keep. `add` then replaces the file in one step, with mode 0600:
 * a process that dies in the middle leaves the old file. A link stays a link.
 *
 * @throws EnvFileError if the file can't be read or replaced, or wouldn't be read back as meant.
 */
export async function openEnvFile(path: string): Promise<EnvFile> {
  const file = await realpath(path).catch(() => path);
  const old = await readOld(file);
  withSettings(old, { APP_ID: '1', PRIVATE_KEY: 'a key\n' });
  const draft = `${file}.${randomUUID()}.tmp`;
  const handle = await open(draft, 'wx', 0o600).catch((error: unknown) => {
    throw unwritable(error);
  });
  return {
    async add(settings) {
      // The operator's changes in the meantime stay too.
      const text = withSettings(await readOld(file), settings);
      try {
        await handle.writeFile(text);
        await handle.sync();
        await rename(draft, file);
        await syncFolder(file);
      } catch (error) {
        throw unwritable(error);
      }
    },
    async close() {
      await handle.close();
      await rm(draft, { force: true });
    },
  };
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

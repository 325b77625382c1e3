import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storeError } from './store-error.ts';

const CODE = 'otp-guard.pb.js';
const INPUT = 'otp-guard.json';

/** In a hook's code: reads the `input` that `withHook` was given. */
export const READ_INPUT = `const input = JSON.parse(toString($os.readFile(__hooks + '/${INPUT}')));`;

/**
 * Calls `run` while PocketBase's folder of hooks contains `code`, too. The hook's
 * `input` can hold a secret, and everybody on the machine can read a command line
 * and an environment. So it comes from a file that only our user can read.
 *
 * @param hooksDir A folder that no backup contains.
 * @param hook.code JavaScript that PocketBase runs as it starts (docs: pocketbase.io/docs/js-overview).
 * @throws Error with one sentence if the folder can't be written, and what `run` throws.
 */
export async function withHook<T>(
  hooksDir: string,
  hook: { code: string; input: object },
  run: () => Promise<T>,
): Promise<T> {
  const files = [INPUT, CODE].map((name) => join(hooksDir, name));
  const contents = [JSON.stringify(hook.input), hook.code];
  const remove = () => Promise.all(files.map((path) => rm(path, { force: true })));
  try {
    // A process that died may have left them.
    await remove();
    const write = (path: string, at: number) =>
      writeFile(path, contents[at] ?? '', { mode: 0o600, flag: 'wx' });
    await Promise.all(files.map(write)).catch((error: NodeJS.ErrnoException) => {
      throw storeError(hooksDir, error.code);
    });
    return await run();
  } finally {
    await remove();
  }
}

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verifyBinary } from './binary.ts';
import { childEnvironment } from './child-environment.ts';
import { folderFlags, storeFolder } from './data-folder.ts';
import { storeError } from './store-error.ts';
import { READ_INPUT, withHook } from './with-hook.ts';

/** How the names of the folders begin that a process leaves if it dies in the middle. */
export const COMMAND_FOLDER_PREFIX = 'command-';

/**
 * Runs PocketBase over `dataDir` with a command that we add to it. Works whether
 * or not a store is running there.
 *
 * @param command.script The body of a JavaScript function (docs: pocketbase.io/docs/js-console-commands) of `input`.
 * @throws DamagedStore if the store's files are damaged, Error with one sentence if they can't be used.
 */
export async function runStoreCommand(
  dataDir: string,
  command: { name: string; script: string; input: object },
  binary?: string,
): Promise<void> {
  const verified = binary ?? (await verifyBinary());
  const flags = folderFlags(dataDir);
  const code = `$app.rootCmd.addCommand(new Command({
  use: '${command.name}',
  run() {
    ${READ_INPUT}
    ${command.script}
  },
}));
`;
  // A folder of its own, because a store may be starting with the other one.
  const hooksDir = await mkdtemp(join(storeFolder(dataDir), COMMAND_FOLDER_PREFIX)).catch(fail);
  try {
    await withHook(hooksDir, { code, input: command.input }, async () => {
      // PocketBase takes the last flag of a name.
      const args = [command.name, ...flags, `--hooksDir=${hooksDir}`];
      await promisify(execFile)(verified, args, { env: childEnvironment() }).catch(fail);
    });
  } finally {
    await rm(hooksDir, { recursive: true, force: true });
  }

  function fail(error: NodeJS.ErrnoException & { stderr?: string }): never {
    throw storeError(dataDir, error.stderr ?? error.code);
  }
}

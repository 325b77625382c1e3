import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DamagedStore } from '../../start-error.ts';
import { childEnvironment } from './child-environment.ts';
import { folderFlags, storeFolder } from './data-folder.ts';
import { firstLogLine } from './first-log-line.ts';
import { verifyBinary } from './verify-binary.ts';

/**
 * Runs PocketBase over `dataDir` with a command that we add to it. Works whether
 * or not a store is running there. The command's `input` can hold a secret, and
 * everybody on the machine can read a command line. So it comes from a file that
 * only our user can read, and that is removed afterwards.
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
  await withHooks(dataDir, command, async (hooksDir) => {
    // PocketBase takes the last flag of a name.
    const args = [command.name, ...flags, `--hooksDir=${hooksDir}`];
    await promisify(execFile)(verified, args, { env: childEnvironment() });
  }).catch((error: NodeJS.ErrnoException & { stderr?: string }) => {
    const reason = error.stderr === undefined ? error.code : firstLogLine(error.stderr);
    const Kind = /malformed|not a database/.test(reason ?? '') ? DamagedStore : Error;
    throw new Kind(`The record store cannot use ${dataDir}: ${reason}`);
  });
}

/** Puts the command and its input into a folder outside the data, so that no backup contains them. */
async function withHooks(
  dataDir: string,
  { name, script, input }: { name: string; script: string; input: object },
  run: (hooksDir: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(storeFolder(dataDir), 'command-'));
  const hook = `$app.rootCmd.addCommand(new Command({
  use: '${name}',
  run() {
    const input = JSON.parse(toString($os.readFile(__hooks + '/input.json')));
    ${script}
  },
}));
`;
  try {
    await writeFile(join(folder, 'input.json'), JSON.stringify(input), { mode: 0o600 });
    await writeFile(join(folder, 'command.pb.js'), hook, { mode: 0o600 });
    await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

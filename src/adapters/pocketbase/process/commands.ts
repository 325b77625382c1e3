import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { childEnvironment, storeError, verifyBinary } from './binary.ts';
import { folderFlags, storeFolder } from './data-folder.ts';
import type { StoreAddress } from './process-marker.ts';

/** The start of the names of folders that a process leaves if it dies in the middle. */
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
): Promise<void> {
  const binary = await verifyBinary();
  const flags = folderFlags(dataDir);
  const code = `$app.rootCmd.addCommand(new Command({
  use: '${command.name}',
  run() {
    ${inputOf(command.input)}
    ${command.script}
  },
}));
`;
  // A folder of its own, because a store may be starting with the other one.
  const hooksDir = await mkdtemp(join(storeFolder(dataDir), COMMAND_FOLDER_PREFIX)).catch(fail);
  try {
    await withHook(hooksDir, code, async () => {
      // PocketBase takes the last flag of a name.
      await runToEnd(binary, [command.name, ...flags, `--hooksDir=${hooksDir}`]).catch(fail);
    });
  } finally {
    await rm(hooksDir, { recursive: true, force: true });
  }

  function fail(error: NodeJS.ErrnoException): never {
    throw storeError(dataDir, error.code ?? error.message);
  }
}

/**
 * Runs PocketBase to its end, or to the end of this process.
 *
 * @throws Error with what it wrote if its exit code isn't 0.
 */
async function runToEnd(binary: string, args: string[]): Promise<void> {
  // A group of its own: by Ctrl-C, PocketBase would end in the middle of its work, with 0.
  const child = spawn(binary, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: childEnvironment(),
  });
  const kill = () => child.kill('SIGKILL');
  // Before what it works on is removed.
  process.prependOnceListener('exit', kill);
  try {
    const [written, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    if (code !== 0) throw new Error(written);
  } finally {
    process.off('exit', kill);
  }
}

const HOOK = 'otp-guard.pb.js';

/** The input as a statement for the body of a hook's function: PocketBase runs the function without its surroundings. */
const inputOf = (input: object) => `const input = ${JSON.stringify(input)};`;

/**
 * Calls `run` while PocketBase's folder of hooks contains `code`, too. That can hold a secret, and everybody on the
 * machine can read a command line and an environment. So it's in a file that only our user can read.
 *
 * @param hooksDir A folder that no backup contains.
 * @param code JavaScript that PocketBase runs as it starts (docs: pocketbase.io/docs/js-overview).
 * @throws Error with one sentence if the folder can't be written, and what `run` throws.
 */
export async function withHook<T>(hooksDir: string, code: string, run: () => Promise<T>): Promise<T> {
  const path = join(hooksDir, HOOK);
  try {
    // A process that died may have left it.
    await rm(path, { force: true });
    await writeFile(path, code, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      throw storeError(hooksDir, error.code);
    });
    return await run();
  } finally {
    await rm(path, { force: true });
  }
}

/** The e-mail address by which the embedded store knows us. */
export const SUPERUSER = 'otp-guard@localhost.invalid';

export type Superuser = Pick<StoreAddress, 'email' | 'password'>;

/**
 * As JavaScript for PocketBase. Its own `superuser upsert` takes the password as an argument, which a process list shows.
 * A password of ours is random, so its hash doesn't have to be slow to compute (bcrypt at its lowest cost). The
 * collection isn't saved: a password that a person sets later gets PocketBase's usual cost.
 */
const UPSERT = `
  let superuser;
  try {
    superuser = $app.findAuthRecordByEmail('_superusers', input.email);
  } catch {
    superuser = new Record($app.findCollectionByNameOrId('_superusers'));
  }
  superuser.collection().fields.getByName('password').cost = 4;
  superuser.setEmail(input.email);
  superuser.setPassword(input.password);
  $app.save(superuser);
`;

/**
 * The hook that creates the superuser of a store as it starts, or changes its
 * password: before the store answers anybody, as a store without a superuser
 * prints a link that turns any visitor into one. A hook that fails ends the start.
 */
export const superuserHook = ({ email, password }: Superuser) => `onBootstrap((start) => {
  start.next();
  ${inputOf({ email, password })}
  ${UPSERT}
});
`;

/**
 * Creates the superuser of the store over `dataDir`, or changes its password.
 * Works whether or not the store is running.
 *
 * @throws DamagedStore if the store's files are damaged, Error with one sentence if they can't be used.
 */
export async function upsertSuperuser(dataDir: string, { email, password }: Superuser): Promise<void> {
  await runStoreCommand(dataDir, {
    name: 'otp-guard-superuser',
    script: UPSERT,
    input: { email, password },
  });
}

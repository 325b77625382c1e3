import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment, storeError, verifyBinary } from './binary.ts';
import { folderFlags, storeFolder } from './data-folder.ts';
import type { StoreAddress } from './process-marker.ts';

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
): Promise<void> {
  const binary = await verifyBinary();
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
      await promisify(execFile)(binary, args, { env: childEnvironment() }).catch(fail);
    });
  } finally {
    await rm(hooksDir, { recursive: true, force: true });
  }

  function fail(error: NodeJS.ErrnoException & { stderr?: string }): never {
    throw storeError(dataDir, error.stderr ?? error.code);
  }
}

const CODE = 'otp-guard.pb.js';
const INPUT = 'otp-guard.json';

/** In a hook's code: reads the `input` that `withHook` was given. */
const READ_INPUT = `const input = JSON.parse(toString($os.readFile(__hooks + '/${INPUT}')));`;

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
export const superuserHook = ({ email, password }: Superuser) => ({
  code: `onBootstrap((start) => {
    start.next();
    ${READ_INPUT}
    ${UPSERT}
  });
`,
  input: { email, password },
});

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

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DamagedStore } from '../../start-error.ts';
import { childEnvironment } from './child-environment.ts';
import { folderFlags, storeFolder } from './data-folder.ts';
import { firstLogLine } from './first-log-line.ts';
import type { StoreAddress } from './store-address.ts';
import { verifyBinary } from './verify-binary.ts';

type Superuser = Pick<StoreAddress, 'email' | 'password'>;

/**
 * A command that we add to PocketBase. Its own `superuser upsert` takes the
 * password as an argument, and everybody on the machine can read a command line.
 */
const COMMAND = `$app.rootCmd.addCommand(new Command({
  use: 'otp-guard-superuser',
  run() {
    const { email, password } = JSON.parse(toString($os.readFile(__hooks + '/superuser.json')));
    let superuser;
    try {
      superuser = $app.findAuthRecordByEmail('_superusers', email);
    } catch {
      superuser = new Record($app.findCollectionByNameOrId('_superusers'));
    }
    superuser.setEmail(email);
    superuser.setPassword(password);
    $app.save(superuser);
  },
}));
`;

/**
 * Creates the superuser of the store over `dataDir`, or changes its password.
 * Works whether or not the store is running. PocketBase reads the password from
 * a file that only our user can read, and that is removed afterwards.
 *
 * @throws DamagedStore if the store's files are damaged, Error with one sentence if they can't be used.
 */
export async function upsertSuperuser(dataDir: string, { email, password }: Superuser): Promise<void> {
  const binary = await verifyBinary();
  const flags = folderFlags(dataDir);
  await withCommand(dataDir, { email, password }, async (hooksDir) => {
    // PocketBase takes the last flag of a name.
    const args = ['otp-guard-superuser', ...flags, `--hooksDir=${hooksDir}`];
    await promisify(execFile)(binary, args, { env: childEnvironment() });
  }).catch((error: NodeJS.ErrnoException & { stderr?: string }) => {
    const reason = error.stderr === undefined ? error.code : firstLogLine(error.stderr);
    const Kind = /malformed|not a database/.test(reason ?? '') ? DamagedStore : Error;
    throw new Kind(`The record store cannot use ${dataDir}: ${reason}`);
  });
}

/** Puts our command and the superuser into a folder outside the data, so that no backup contains them. */
async function withCommand(
  dataDir: string,
  superuser: Superuser,
  run: (hooksDir: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(storeFolder(dataDir), 'superuser-'));
  try {
    await writeFile(join(folder, 'superuser.json'), JSON.stringify(superuser), { mode: 0o600 });
    await writeFile(join(folder, 'superuser.pb.js'), COMMAND, { mode: 0o600 });
    await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

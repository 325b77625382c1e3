import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DamagedStore } from '../../start-error.ts';
import { folderFlags } from './data-folder.ts';
import { firstLogLine } from './first-log-line.ts';
import type { StoreAddress } from './store-address.ts';
import { verifyBinary } from './verify-binary.ts';

/**
 * Creates the superuser of the store over `dataDir`, or changes its password.
 * Works whether or not the store is running.
 *
 * @throws DamagedStore if the store's files are damaged, Error with one sentence if they can't be used.
 */
export async function upsertSuperuser(
  dataDir: string,
  { email, password }: Pick<StoreAddress, 'email' | 'password'>,
): Promise<void> {
  const binary = await verifyBinary();
  await promisify(execFile)(binary, ['superuser', 'upsert', email, password, ...folderFlags(dataDir)]).catch(
    (error: { stderr?: string }) => {
      const reason = firstLogLine(error.stderr);
      const Kind = /malformed|not a database/.test(reason) ? DamagedStore : Error;
      throw new Kind(`The record store cannot use ${dataDir}: ${reason}`);
    },
  );
}

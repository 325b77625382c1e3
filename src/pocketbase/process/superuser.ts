import { runStoreCommand } from './run-store-command.ts';
import type { StoreAddress } from './store-address.ts';

export type Superuser = Pick<StoreAddress, 'email' | 'password'>;

/** PocketBase's own `superuser upsert` takes the password as an argument, which a process list shows. */
const UPSERT = `
  let superuser;
  try {
    superuser = $app.findAuthRecordByEmail('_superusers', input.email);
  } catch {
    superuser = new Record($app.findCollectionByNameOrId('_superusers'));
  }
  superuser.setEmail(input.email);
  superuser.setPassword(input.password);
  $app.save(superuser);
`;

/**
 * Creates the superuser of the store over `dataDir`, or changes its password.
 * Works whether or not the store is running.
 *
 * @param binary The record store's binary, if it was verified already.
 * @throws DamagedStore if the store's files are damaged, Error with one sentence if they can't be used.
 */
export async function upsertSuperuser(
  dataDir: string,
  { email, password }: Superuser,
  binary?: string,
): Promise<void> {
  const command = { name: 'otp-guard-superuser', script: UPSERT, input: { email, password } };
  await runStoreCommand(dataDir, command, binary);
}

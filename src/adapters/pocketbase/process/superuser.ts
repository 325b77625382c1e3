import { runStoreCommand } from './commands.ts';
import type { StoreAddress } from './store-address.ts';
import { READ_INPUT } from './with-hook.ts';

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

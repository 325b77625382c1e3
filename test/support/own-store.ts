import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type PocketBase from 'pocketbase';
import type { StoreClient } from '../../src/adapters/pocketbase/client.ts';
import { createStores } from '../../src/adapters/pocketbase/stores.ts';
import { createSealer } from '../../src/authenticators/seal.ts';
import type { Organization } from '../../src/organizations/ports.ts';
import { flat } from './every-room.ts';
import { anInstallation } from './fakes.ts';
import { activityLogOf, recordSeals, SECRET_KEY, startMigratedStore } from './stores.ts';

// A test file that imports this gets its own record store, and a new organization for each test.

export let records: PocketBase;
/** Two processes, each with its own client and stores. */
export let one: Process;
export let two: Process;
export let org: Organization;

let store: Awaited<ReturnType<typeof startMigratedStore>>;
let githubId = 100;

export type Process = ReturnType<typeof aProcess>;

function aProcess(client: StoreClient) {
  const log = activityLogOf(client);
  const sealer = createSealer(() => [SECRET_KEY]);
  return { client, ...flat(createStores({ client, log, sealer, seals: recordSeals() })) };
}

beforeAll(async () => {
  store = await startMigratedStore();
  records = store.records;
  [one, two] = [aProcess(store.one), aProcess(store.two)];
});
afterAll(() => store?.stop());

beforeEach(async () => {
  githubId += 1;
  const account = { id: githubId, login: `org-${githubId}`, type: 'Organization', htmlUrl: '' } as const;
  org = await one.organizations.save(anInstallation({ id: githubId, account }));
});

/** A person who has signed in. */
export async function person(login: string) {
  githubId += 1;
  const password = 'a-password-of-the-tests';
  const fields = {
    email: `${githubId}@unconfirmed.invalid`,
    verified: true,
    password,
    passwordConfirm: password,
  };
  const { id } = await records
    .collection('gh_users')
    .create<{ id: string }>({ ...fields, github_id: githubId, username: login });
  return { userId: id, githubId, login };
}

/** In the order in which they were created. */
export const all = <T>(collection: string, filter = '') =>
  records.collection(collection).getFullList<T>({ filter, sort: '@rowid' });

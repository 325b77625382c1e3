import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type PocketBase from 'pocketbase';
import type { StoreClient } from '../../src/adapters/pocketbase/client.ts';
import { createOrganizations } from '../../src/adapters/pocketbase/organizations/organizations.ts';
import type { Organization } from '../../src/organizations/ports.ts';
import { activityLogOf } from './activity-log.ts';
import { anInstallation } from './fakes.ts';
import { startMigratedStore } from './migrated-store.ts';

// A test file that imports this gets its own record store, and a new organization for each test.

export let records: PocketBase;
/** Two processes, each with its own client. */
export let one: StoreClient;
export let two: StoreClient;
export let org: Organization;

let store: Awaited<ReturnType<typeof startMigratedStore>>;
let githubId = 100;

beforeAll(async () => {
  store = await startMigratedStore();
  ({ records, one, two } = store);
});
afterAll(() => store?.stop());

beforeEach(async () => {
  githubId += 1;
  const account = { id: githubId, login: `org-${githubId}`, type: 'Organization', htmlUrl: '' } as const;
  org = await createOrganizations(one, activityLogOf(one)).save(anInstallation({ id: githubId, account }));
});

/** Somebody who has signed in. */
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

import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type PocketBase from 'pocketbase';
import { createApprovalStores } from '../../src/adapters/pocketbase/approvals/stores.ts';
import { createFindings } from '../../src/adapters/pocketbase/audit/effects.ts';
import { createAuthenticatorStores } from '../../src/adapters/pocketbase/authenticators/stores.ts';
import type { StoreClient } from '../../src/adapters/pocketbase/client.ts';
import { createNoticeStores } from '../../src/adapters/pocketbase/notices/stores.ts';
import { createOrganizationStores } from '../../src/adapters/pocketbase/organizations/stores.ts';
import { createWeakenings } from '../../src/adapters/pocketbase/organizations/weakenings.ts';
import { createOutgoingWebhooks } from '../../src/adapters/pocketbase/outgoing-webhooks/stores.ts';
import { createPeopleStores } from '../../src/adapters/pocketbase/people/stores.ts';
import { createQuota } from '../../src/adapters/pocketbase/records/one-time-keys.ts';
import { createSealer } from '../../src/authenticators/seal.ts';
import type { Organization } from '../../src/organizations/ports.ts';
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
  const deps = { client, log, sealer, seals: recordSeals() };
  return {
    client,
    ...createApprovalStores(deps),
    ...createAuthenticatorStores(deps),
    ...createNoticeStores(client),
    ...createOrganizationStores(client, log),
    ...createPeopleStores(client, log),
    findings: createFindings(log),
    outgoingWebhooks: createOutgoingWebhooks(client, log, deps),
    weakenings: createWeakenings(client, log, deps.seals),
    quota: createQuota(client),
  };
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

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type PocketBase from 'pocketbase';
import type { Organization } from '../../src/accounts/ports.ts';
import type { SweepReport } from '../../src/approvals/ports.ts';
import { createAlarms } from '../../src/store/alarms.ts';
import { createStoreClient, type StoreClient } from '../../src/store/client.ts';
import { createDeliveries } from '../../src/store/deliveries.ts';
import { createMemberships } from '../../src/store/memberships.ts';
import { createMergeGroups } from '../../src/store/merge-groups.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createOpenPulls } from '../../src/store/open-pulls.ts';
import { createOrganizations } from '../../src/store/organizations.ts';
import { createRuns } from '../../src/store/runs.ts';
import { sweepExpired } from '../../src/store/sweep.ts';
import { createSweeps } from '../../src/store/sweeps.ts';
import { aGroup, anInstallation, FakeClock, HEAD } from '../support/fakes.ts';
import { startEmptyStore } from '../support/product-over-store.ts';

const GITHUB = {
  appId: 1,
  privateKey: '',
  webhookSecret: '',
  clientId: 'client',
  clientSecret: 'secret',
  serverUrl: 'https://github.com',
  apiUrl: 'https://api.github.com',
};
const DAY_MS = 24 * 60 * 60_000;

let store: Awaited<ReturnType<typeof startEmptyStore>>;
let records: PocketBase;
/** Two processes, each with a client of its own. */
let one: StoreClient;
let two: StoreClient;
let org: Organization;
let number = 500;

beforeAll(async () => {
  store = await startEmptyStore();
  records = store.records;
  [one, two] = [createStoreClient(store), createStoreClient(store)];
  const external = {
    kind: 'external',
    url: store.url,
    email: store.email,
    password: store.password,
  } as const;
  await migrate(one, { store: external as never, publicUrl: 'http://localhost:3000' }, GITHUB);
});
afterAll(() => store?.stop());

const anAccount = () => {
  number += 1;
  return { id: number, login: `org-${number}`, type: 'Organization', htmlUrl: '' } as const;
};
beforeEach(async () => {
  const account = anAccount();
  org = await createOrganizations(one).save(anInstallation({ id: account.id, account }));
});

async function owner(login: string, address = `${login}@example.org`): Promise<string> {
  number += 1;
  const password = 'a-password-of-the-tests';
  const { id } = await records.collection('gh_users').create<{ id: string }>({
    email: `${number}@unconfirmed.invalid`,
    verified: true,
    password,
    passwordConfirm: password,
    github_id: number,
    username: login,
    address,
  });
  await createMemberships(one).save(org, { githubId: number, login }, 'admin');
  return id;
}

describe('the alarm of a merge that nobody approved', () => {
  const aMerge = (change: object = {}) => ({
    orgId: org.orgId,
    repoId: org.orgId * 10,
    repoName: 'hello',
    pr: 7,
    head: HEAD,
    by: { id: 1, login: 'hubot' },
    ...change,
  });
  const logged = () =>
    records.collection('gh_activities').getFullList({ filter: `org = "${org.id}"`, sort: '@rowid' });
  const told = (userId: string) =>
    records.collection('notices').getFullList({ filter: `user = "${userId}"`, sort: '@rowid' });

  it('is logged and told to each owner, once, however many processes raise it', async () => {
    const octocat = await owner(`octocat-${number}`);
    const other = await owner(`other-${number}`);
    const alarms = [createAlarms(one), createAlarms(two)];
    await Promise.all([...alarms, ...alarms, ...alarms].map((each) => each.raise(aMerge())));
    await createAlarms(one).raise(aMerge());
    const entries = await logged();
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      activity: 'unapprovedMerge',
      user_id: '',
      data: { login: 'hubot', sha: HEAD, pr: 7, repo: 'hello', org: org.name },
    });
    for (const userId of [octocat, other])
      expect(await told(userId)).toMatchObject([
        { kind: 'unapprovedMerge', data: { org: org.name, by: 'hubot', label: 'hello#7' } },
      ]);
  });

  it('names who did it, where they are known here, and nobody where GitHub does not say', async () => {
    const userId = await owner(`octocat-${number}`);
    const { github_id } = await records.collection('gh_users').getOne(userId);
    await createAlarms(one).raise(aMerge({ by: { id: github_id, login: 'octocat' } }));
    await createAlarms(one).raise(aMerge({ pr: 8, by: null }));
    expect((await logged()).map(({ user_id, data }) => [user_id, data.login])).toEqual([
      [userId, 'octocat'],
      ['', ''],
    ]);
  });

  it('is of each pull request', async () => {
    for (const change of [{}, { pr: 8 }, { repoId: org.orgId * 10 + 1 }]) {
      await createAlarms(one).raise(aMerge(change));
    }
    expect(await logged()).toHaveLength(3);
  });

  it('is raised also where no owner has signed in here', async () => {
    await createAlarms(one).raise(aMerge());
    expect(await logged()).toHaveLength(1);
  });
});

describe('a merge queue’s groups', () => {
  it('are known by repository and head, and a no among what came of them stays', async () => {
    const group = { ...aGroup({ repoId: org.orgId }), pullHead: HEAD };
    await Promise.all(
      [one, two, one].map((client) => createMergeGroups(client).save({ ...group, passed: false })),
    );
    await createMergeGroups(two).save({ ...group, passed: true });
    expect(await createMergeGroups(one).find(org.orgId, group.head)).toEqual({ ...group, passed: false });
    expect(await createMergeGroups(one).find(org.orgId + 1, group.head)).toBeNull();
    expect(await createMergeGroups(one).find(org.orgId, HEAD)).toBeNull();
  });
});

describe('webhooks that were worked through', () => {
  it('are noted once by two processes, with when the last of an installation was', async () => {
    const [here, there] = [createDeliveries(one), createDeliveries(two)];
    expect([await here.isDone('guid-1'), await here.last(org.orgId)]).toEqual([false, null]);
    await Promise.all([here, there].map((each) => each.done('guid-1', 'pull_request', org.orgId)));
    expect(await there.isDone('guid-1')).toBe(true);
    const last = await here.last(org.orgId);
    expect(Math.abs((last?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(await here.last(org.orgId + 1)).toBeNull();
  });
});

describe('the rounds of the sweeper', () => {
  const aReport = (took: number): SweepReport => ({
    repaired: [{ repository: 'octo-org/hello', head: HEAD }],
    faults: [],
    redelivered: 1,
    missed: { 5: 2 },
    deliveriesFrom: '2026-05-04T12:00:00.000Z',
    took,
  });

  it('are read as they were written, the newest of whichever process', async () => {
    await createSweeps(one).save(aReport(1));
    await createSweeps(two).save(aReport(2));
    const latest = await createSweeps(one).latest();
    expect(latest?.report).toEqual(aReport(2));
    expect(Math.abs((latest?.at.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('are kept for a day', async () => {
    await createSweeps(one).save(aReport(3));
    await sweepExpired(one, new Date());
    expect((await createSweeps(one).latest())?.report.took).toBe(3);
    await sweepExpired(one, new Date(Date.now() + DAY_MS + 60_000));
    expect(await createSweeps(one).latest()).toBeNull();
  });
});

describe('the runs that are compared', () => {
  const note = (pr: number, s: number, head = `${pr}`.repeat(40).slice(0, 40)) =>
    createOpenPulls(one).note(
      org.orgId,
      [{ repoId: org.orgId, repoName: 'hello', pr, title: '', author: '', head, approved: false }],
      new Date(Date.UTC(2026, 4, 4, 12, 0, s)),
    );
  const compare = async (most: number, s: number) =>
    (await createOpenPulls(two).toCompare(most, new Date(Date.UTC(2026, 4, 4, 13, 0, s))))
      .filter(({ repoId }) => repoId === org.orgId)
      .map(({ head }) => head[0]);

  beforeEach(async () => {
    for (const { id } of await records.collection('open_pulls').getFullList())
      await records.collection('open_pulls').delete(id);
  });

  it('are those that were compared longest ago, in turn', async () => {
    for (const pr of [1, 2, 3]) await note(pr, pr);
    const rounds = [await compare(2, 1), await compare(2, 2), await compare(2, 3)];
    expect(new Set(rounds.slice(0, 2).flat())).toEqual(new Set(['1', '2', '3']));
    expect(rounds.every((round) => round.length === 2)).toBe(true);
  });

  it('are reached by what their organization is called now, and by no installation that is away', async () => {
    await note(1, 1);
    const account = { id: org.orgId, login: 'renamed', type: 'Organization', htmlUrl: '' } as const;
    await createOrganizations(one).save(anInstallation({ id: 77, account }));
    expect(await createOpenPulls(one).toCompare(5, new Date())).toMatchObject([
      { repo: { installation: 77, owner: 'renamed', name: 'hello' }, repoId: org.orgId },
    ]);
    await createOrganizations(one).save(anInstallation({ id: 77, account, suspended: true }));
    expect(await compare(5, 1)).toEqual([]);
    await createOrganizations(one).save(anInstallation({ id: 77, account }));
    await createOrganizations(one).removed(77);
    expect(await compare(5, 2)).toEqual([]);
  });

  it('forgets a repository as a whole, and no other', async () => {
    await note(1, 1);
    await createOpenPulls(one).forgetRepository(org.orgId + 1);
    expect(await compare(5, 1)).toEqual(['1']);
    await createOpenPulls(one).forgetRepository(org.orgId);
    expect(await compare(5, 2)).toEqual([]);
  });
});

describe('a run of ours', () => {
  it('is as old as our own clock says, whatever the record store’s is', async () => {
    const clock = new FakeClock();
    const runs = createRuns(one, clock);
    const claim = await runs.claim(org.orgId, HEAD, 1);
    expect(claim?.since).toEqual(clock.now());
    expect(await createRuns(two, clock).claim(org.orgId, HEAD, 1)).toBeNull();
    clock.pass(DAY_MS);
    if (claim) await runs.save(claim, 7, 'in_progress:x');
    expect(await runs.latest(org.orgId, HEAD)).toMatchObject({ checkRunId: 7, since: clock.now() });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pMap from 'p-map';
import { asApp } from '../support/account.ts';
import { crowdRepository, type FaultWorld, startFaultWorld } from '../support/fault-world.ts';
import { until } from '../support/product.ts';

/** `npm run test:soak` uses the size of a large organization. */
const { repositories: REPOSITORIES, each: EACH } = process.env.SOAK
  ? { repositories: 50, each: 10 }
  : { repositories: 4, each: 4 };
const PULLS = REPOSITORIES * EACH;
/** One query per repository, and a few more requests. */
const MOST_REQUESTS = REPOSITORIES + 10;
const SET_UP_MS = 60_000 + PULLS * 1_000;

let world: FaultWorld;
const repositories = [
  'hello',
  ...Array.from({ length: REPOSITORIES - 1 }, (_, index) => crowdRepository(index + 1)),
];

/** The heads of all open pull requests, with their repositories. */
async function openHeads(): Promise<[repo: string, head: string][]> {
  const found: [string, string][] = [];
  for (const repo of repositories) {
    for (const { head } of await world.openPulls(repo)) found.push([repo, head.sha]);
  }
  return found;
}

async function runsOf(heads: [repo: string, head: string][]): Promise<string[]> {
  const statuses = async ([repo, head]: [repo: string, head: string]) =>
    (await world.ownRuns(repo, head, 'all')).map(({ status }) => status);
  const shown = await pMap(heads, statuses, { concurrency: 10 });
  return shown.flat();
}

/** Reconciles, with few requests. */
async function sweep() {
  const { requests } = world.proxy;
  requests.splice(0);
  const { report } = await world.sweep();
  expect(requests.slice(MOST_REQUESTS)).toEqual([]);
  return report;
}

beforeAll(async () => {
  const each = { perMinute: PULLS + 100, perHour: PULLS + 100 };
  const writes = { most: { takeAway: each, approval: each, completion: each, other: each } };
  world = await startFaultWorld({ repositories: REPOSITORIES - 1, waits: { writes } });
  // The requests for another installation would count, too.
  await asApp(world, 'DELETE', `/app/installations/${world.github.facts.otherInstallation}`);
  // Without events, GitHub has no deliveries of the last minutes to list.
  await world.asAdmin('PUT', `/_local/installations/${world.github.facts.installation}`, { events: [] });
  const fill = async (repo: string) => {
    const { length: open } = await world.openPulls(repo);
    for (let number = open; number < EACH; number += 1)
      await world.openPullIn(repo, { branch: `change-${number}` });
  };
  // All repositories together keep the local GitHub so busy that it refuses connections.
  await pMap(repositories, fill, { concurrency: 4 });
  world.process.start();
  await world.process.ready();
  // Asking about each head instead would go over the local GitHub's limit of 5,000 requests an hour.
  const isSettled = async () => {
    const { repaired, faults, redelivered } = (await world.sweep()).report;
    return repaired.length + faults.length + redelivered === 0;
  };
  await until('all check runs and deliveries', isSettled, SET_UP_MS);
  await world.process.stop();
}, SET_UP_MS * 2);

afterAll(() => world?.stop());

describe('a reconciliation', () => {
  it(`of ${PULLS} pull requests in ${REPOSITORIES} repositories sends GitHub at most ${MOST_REQUESTS} requests`, async () => {
    const heads = await openHeads();
    expect(heads).toHaveLength(PULLS);
    expect(await sweep()).toMatchObject({ repaired: [], faults: [] });
    expect(await runsOf(heads)).toEqual(heads.map(() => 'in_progress'));
  });

  it('repairs a run that differs on any head, within the same limit', async () => {
    const heads = await openHeads();
    for (const [repo, head] of [heads[0], heads[Math.floor(PULLS / 2)], heads[PULLS - 1]].flatMap((one) =>
      one ? [one] : [],
    )) {
      await world.asAdmin('POST', '/_local/stale', { head });
      expect(await sweep()).toMatchObject({ repaired: [{ head }], faults: [] });
      expect((await world.ownRuns(repo, head, 'latest')).map(({ status }) => status)).toEqual([
        'in_progress',
      ]);
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { crowdRepository, type FaultWorld, startFaultWorld } from '../support/fault-world.ts';
import { until } from '../support/product.ts';

/** `npm run test:soak` uses the size of a large organization. */
const { repositories: REPOSITORIES, each: EACH } = process.env.SOAK
  ? { repositories: 50, each: 10 }
  : { repositories: 4, each: 4 };
const PULLS = REPOSITORIES * EACH;
/** One list per repository, and a few more requests. */
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
  const shown = await Promise.all(
    heads.map(async ([repo, head]) => (await world.ownRuns(repo, head, 'all')).map(({ status }) => status)),
  );
  return shown.flat();
}

beforeAll(async () => {
  const writes = { perRefill: { normal: PULLS + 100, express: 30 } };
  world = await startFaultWorld({ repositories: REPOSITORIES - 1, waits: { writes } });
  // The requests for another installation would count, too.
  await world.asApp('DELETE', `/app/installations/${world.github.facts.otherInstallation}`);
  // Without events, GitHub has no deliveries of the last minutes to list.
  await world.asAdmin('PUT', `/_local/installations/${world.github.facts.installation}`, { events: [] });
  await Promise.all(
    repositories.map(async (repo) => {
      const { length: open } = await world.openPulls(repo);
      for (let number = open; number < EACH; number += 1)
        await world.openPullIn(repo, { branch: `change-${number}` });
    }),
  );
  world.process.start();
  await world.process.ready();
  const heads = await openHeads();
  await until('all check runs', async () => (await runsOf(heads)).length >= heads.length, SET_UP_MS);
  // GitHub redelivers the webhooks that failed before the product started.
  await until('all deliveries', async () => (await world.sweep()).report.redelivered === 0, SET_UP_MS);
  await world.process.stop();
}, SET_UP_MS * 2);

afterAll(() => world?.stop(), 30_000);

describe('a reconciliation', () => {
  it(`of ${PULLS} pull requests in ${REPOSITORIES} repositories sends GitHub at most ${MOST_REQUESTS} requests`, async () => {
    const heads = await openHeads();
    expect(heads).toHaveLength(PULLS);
    world.proxy.forgetRequests();
    const { report } = await world.sweep();
    expect(report).toMatchObject({ repaired: [], faults: [] });
    const requests = Object.fromEntries(world.proxy.requests);
    const sum = Object.values(requests).reduce((total, count) => total + count, 0);
    if (sum > MOST_REQUESTS) throw new Error(`It sent ${sum} requests: ${JSON.stringify(requests)}`);
    expect(await runsOf(heads)).toEqual(heads.map(() => 'in_progress'));
  }, 120_000);
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { crowdRepository, type FaultWorld, startFaultWorld } from '../support/fault-world.ts';
import { until } from '../support/product.ts';

/** `npm run test:soak` counts at the size of a large organization. */
const { repositories: REPOSITORIES, each: EACH } = process.env.SOAK
  ? { repositories: 50, each: 10 }
  : { repositories: 5, each: 6 };
const PULLS = REPOSITORIES * EACH;
/** One list for each repository, and a few requests that do not depend on how many there are. */
const MOST_REQUESTS = REPOSITORIES + 10;
const SET_UP_MS = 60_000 + PULLS * 1_000;

let world: FaultWorld;
const repositories = [
  'hello',
  ...Array.from({ length: REPOSITORIES - 1 }, (_, at) => crowdRepository(at + 1)),
];

/** Every head that is open, by repository. */
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
  // Another organization is another installation, and these are to be this many repositories.
  await world.asApp('DELETE', `/app/installations/${world.github.facts.otherInstallation}`);
  // A quiet day: GitHub has no webhooks of the last minutes to tell of, failed or not.
  await world.asAdmin('PUT', `/_local/installations/${world.github.facts.installation}`, { events: [] });
  await Promise.all(
    repositories.map(async (repo) => {
      const { length: open } = await world.openPulls(repo);
      for (let at = open; at < EACH; at += 1) await world.openPullIn(repo, { branch: `change-${at}` });
    }),
  );
  world.process.start();
  await world.process.ready();
  const heads = await openHeads();
  await until('every run', async () => (await runsOf(heads)).length >= heads.length, SET_UP_MS);
  // What GitHub could not deliver before there was a product comes now.
  await until('all deliveries', async () => (await world.sweep()).report.redelivered === 0, SET_UP_MS);
  await world.process.stop();
}, SET_UP_MS * 2);

afterAll(() => world?.stop(), 30_000);

describe('a sweep', () => {
  it(`of ${PULLS} pull requests in ${REPOSITORIES} repositories asks GitHub at most ${MOST_REQUESTS} times`, async () => {
    const heads = await openHeads();
    expect(heads).toHaveLength(PULLS);
    world.proxy.forgetRequests();
    const { report } = await world.sweep();
    expect(report).toMatchObject({ repaired: [], faults: [] });
    const asked = Object.fromEntries(world.proxy.requests);
    const sum = Object.values(asked).reduce((all, each) => all + each, 0);
    if (sum > MOST_REQUESTS) throw new Error(`it asked ${sum} times: ${JSON.stringify(asked)}`);
    expect(await runsOf(heads)).toEqual(heads.map(() => 'in_progress'));
  }, 120_000);
});

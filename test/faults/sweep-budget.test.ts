import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { crowdRepository, type FaultWorld, startFaultWorld } from '../support/fault-world.ts';
import { until } from '../support/product.ts';

const REPOSITORIES = 50;
const EACH = 10;
/** GitHub takes so many new runs a minute from one process of the product. */
const BURST = 50;
const MOST_REQUESTS = 60;

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
  world = await startFaultWorld({ repositories: REPOSITORIES - 1 });
  // Another organization is another installation, and these are to be fifty repositories.
  await world.asApp('DELETE', `/app/installations/${world.github.facts.otherInstallation}`);
  // A quiet day: GitHub has no webhooks of the last minutes to tell of, failed or not.
  await world.asAdmin('PUT', `/_local/installations/${world.github.facts.installation}`, { events: [] });
  await Promise.all(
    repositories.map(async (repo) => {
      const { length: open } = await world.openPulls(repo);
      for (let at = open; at < EACH; at += 1) await world.openPullIn(repo, { branch: `change-${at}` });
    }),
  );
  const route = 'POST /repos/{owner}/{repo}/check-runs';
  const made = () => world.proxy.requests.get(route) ?? 0;
  world.process.start();
  // Each start may make another burst at once; waiting for the next minute would take longer.
  for (let expected = BURST; expected < REPOSITORIES * EACH; expected += BURST) {
    await until('a burst of runs', async () => made() >= expected, 60_000);
    await world.process.kill();
  }
  await world.process.stop();
  // What the kills left half-made is put right.
  await until(
    'all to be right',
    async () => {
      const { report } = await world.sweep();
      return report.repaired.length + report.faults.length + report.redelivered === 0;
    },
    90_000,
  );
}, 280_000);

afterAll(() => world.stop(), 30_000);

describe('a sweep', () => {
  it(`of ${REPOSITORIES * EACH} pull requests in ${REPOSITORIES} repositories asks GitHub at most ${MOST_REQUESTS} times`, async () => {
    const heads = await openHeads();
    expect(heads).toHaveLength(REPOSITORIES * EACH);
    world.proxy.forgetRequests();
    const { report } = await world.sweep();
    const asked = Object.fromEntries(world.proxy.requests);
    process.stderr.write(`sweep: ${JSON.stringify({ ...report, asked })}\n`);
    expect(report).toMatchObject({ repaired: [], faults: [] });
    const sum = [...world.proxy.requests.values()].reduce((all, each) => all + each, 0);
    expect(sum).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(await runsOf(heads)).toEqual(heads.map(() => 'in_progress'));
  }, 60_000);
});

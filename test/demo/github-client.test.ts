import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import type { GitHubApp } from '../../src/adapters/github/app.ts';
import { createCheckRuns } from '../../src/adapters/github/check-runs.ts';
import { createOpenHeads } from '../../src/adapters/github/open-heads.ts';
import { createPullRequests } from '../../src/adapters/github/pull-requests.ts';
import { fakeDate } from '../support/fake-date.ts';
import { productAt, world } from './one-world.ts';

let app: GitHubApp;
/** The status of each answer to the product. */
let statuses: number[] = [];

beforeAll(async () => {
  fakeDate();
  app = productAt(world.github, (status) => statuses.push(status));
  await app.probot.ready();
});
beforeEach(() => {
  statuses = [];
});
afterAll(async () => {
  jest.useRealTimers();
  await world?.close();
});

const hello = () => ({ installation: world.github.facts.installation, owner: 'octo-org', name: 'hello' });
const asAdmin = (method: string, path: string, body?: unknown) =>
  world.call(method, path, { token: world.github.facts.adminToken, ...(body !== undefined && { body }) });

it('gets a new installation token when the local GitHub refuses a revoked one', async () => {
  const pulls = createPullRequests(app);
  expect(await pulls.get(hello(), 1)).toMatchObject({ number: 1 });
  const path = `/_local/installations/${world.github.facts.installation}/tokens`;
  const token = await world.installationToken();
  expect((await world.call('DELETE', path, { token })).status).toBe(403);
  expect((await asAdmin('DELETE', path)).status).toBe(204);
  expect((await world.call('GET', '/installation/repositories', { token })).status).toBe(401);

  // Octokit waits for a token of less than five seconds to be known everywhere.
  jest.setSystemTime(Date.now() + 10_000);
  statuses = [];
  expect(await pulls.get(hello(), 1)).toMatchObject({ number: 1 });
  expect(statuses).toEqual([401, 201, 200]);
});

it('answers the query of open heads with the newest runs, and counts its points', async () => {
  const heads = createOpenHeads(app, Number(world.github.env.APP_ID));
  const runs = createCheckRuns(app, Number(world.github.env.APP_ID));
  const repo = { ...hello(), id: (await asAdmin('GET', '/repos/octo-org/hello')).json.id };
  const [pull] = (await createPullRequests(app).listRecentlyUpdated(hello())) ?? [];
  if (!pull) throw new Error('there is no pull request');
  // Only the REST API says it with the list.
  const unasked = { size: null };
  expect(await heads.read(repo)).toEqual({
    pulls: [{ ...pull, ...unasked }],
    runs: new Map([[pull.head, null]]),
  });
  const content = {
    status: 'in_progress',
    title: 'T',
    summary: 'S',
    detailsUrl: 'http://localhost',
  } as const;
  await runs.create(hello(), pull.head, content, 'other');
  const id = await runs.create(hello(), pull.head, content, 'other');
  const shown = async () => (await heads.read(repo))?.runs.get(pull.head);
  expect(await shown()).toEqual({ id, status: 'in_progress', conclusion: null });
  await asAdmin('POST', '/_local/stale', { head: pull.head });
  expect(await shown()).toEqual({ id, status: 'completed', conclusion: 'stale' });
  expect(await heads.read({ ...repo, name: 'unknown' })).toBeNull();
  const query = { query: '{ repository(owner: "octo-org", name: "hello") { name } }' };
  const last = await world.call('POST', '/graphql', { token: await world.installationToken(), body: query });
  // A large page of the query first, then small ones.
  expect(last.headers.get('x-ratelimit-used')).toBe(String(6 + 1 + 1 + 1 + 1));
});

it('learns under the former name of a repository that a list is unchanged', async () => {
  const pulls = createPullRequests(app);
  await pulls.listOpen(hello());
  await asAdmin('PATCH', '/repos/octo-org/hello', { name: 'goodbye' });
  const [renamed] = (await pulls.listOpen(hello())) ?? [];
  expect(renamed?.repo).toMatchObject({ owner: 'octo-org', name: 'goodbye' });
  expect(await pulls.listOpen(hello())).toMatchObject([{ number: 1 }]);
  expect(statuses.slice(-2)).toEqual([301, 304]);
});

import { beforeAll, expect, it } from '@jest/globals';
import type { GitHubApp } from '../../src/adapters/github/app.ts';
import { createCheckRuns } from '../../src/adapters/github/check-runs.ts';
import { createOpenHeads } from '../../src/adapters/github/open-heads.ts';
import { createPullRequests } from '../../src/adapters/github/pull-requests.ts';
import { productAt, world } from './one-world.ts';

let app: GitHubApp;

beforeAll(async () => {
  app = productAt(world.github, () => undefined);
  await app.probot.ready();
});

const hello = () => ({ installation: world.github.facts.installation, owner: 'octo-org', name: 'hello' });
const asAdmin = (method: string, path: string, body?: unknown) =>
  world.call(method, path, { token: world.github.facts.adminToken, ...(body !== undefined && { body }) });

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

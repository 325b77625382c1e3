import { expect, it } from '@jest/globals';
import { readSpeaksAs } from '../../demo/github/speaks-as.ts';
import { productAt } from './one-world.ts';
import { startWorld } from './world.ts';

it('has the API of data residency on a host of its own, and the pages on the other', async () => {
  const world = await startWorld({}, readSpeaksAs('ghe.com'));
  const { origin, env, facts } = world.github;
  expect(env.GITHUB_API_URL).toBe(origin.replace('localhost', '127.0.0.1'));
  const path = '/repos/octo-org/hello/pulls/1';
  const [own, other] = [
    await world.call('GET', `${env.GITHUB_API_URL}${path}`),
    await world.call('GET', path),
  ];
  expect([own.status, other.status]).toEqual([200, 404]);
  expect(own.json).toMatchObject({ url: `${env.GITHUB_API_URL}${path}`, html_url: facts.pull });
  expect(own.headers.get('x-github-enterprise-version')).toBeNull();
  expect((await world.call('GET', facts.pull)).text).toContain('Add a greeting');
  const octokit = await productAt(world.github).asInstallation(facts.installation);
  expect(await octokit.graphql('query { repository(owner: "octo-org", name: "hello") { name } }')).toEqual({
    repository: { name: 'hello' },
  });
  await world.close();
});

it('has the API of an Enterprise Server under /api/v3 alone, and names its version', async () => {
  const world = await startWorld({}, readSpeaksAs('3.19.2'));
  const { origin, env } = world.github;
  const meta = await world.call('GET', `${env.GITHUB_API_URL}/meta`);
  expect(meta.json).toMatchObject({ installed_version: '3.19.2' });
  expect(meta.headers.get('x-github-enterprise-version')).toBe('3.19.2');
  const path = '/repos/octo-org/hello/pulls?state=all';
  const pulls = await world.call('GET', `${env.GITHUB_API_URL}${path}`);
  expect(pulls.json).toMatchObject([{ url: `${origin}/api/v3/repos/octo-org/hello/pulls/1` }]);
  const headers = { 'x-github-api-version': '2026-03-10' };
  const refused = [
    await world.call('GET', path),
    await world.call('GET', `${env.GITHUB_API_URL}/rate_limit`),
    await world.call('GET', `${env.GITHUB_API_URL}${path}`, { headers }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 400]);
  await world.close();
});

it('is asked for by name or version', () => {
  expect(readSpeaksAs(undefined)).toEqual({ kind: 'github.com' });
  expect(readSpeaksAs('3.19.2')).toEqual({ kind: 'enterpriseServer', version: '3.19.2' });
  expect(() => readSpeaksAs('3')).toThrow('DEMO_GITHUB_AS must be ghe.com or');
});

import { expect, it } from '@jest/globals';
import pino from 'pino';
import { createGitHubApp } from '../../src/adapters/github/app.ts';
import { createCheckRuns } from '../../src/adapters/github/check-runs.ts';
import { createPullRequests } from '../../src/adapters/github/pull-requests.ts';
import { syncCheckRun } from '../../src/approvals/check-run/head.ts';
import { readConfig } from '../../src/settings/config.ts';
import { anApproval, fakeFacts, fakeStores } from '../support/fakes.ts';
import { world } from './one-world.ts';
import type { Json } from './world.ts';

const PATH = '/repos/octo-org/hello';

const asAdmin = async (method: string, path: string, body?: object): Promise<Json> =>
  (await world.call(method, `${PATH}${path}`, { token: world.github.facts.adminToken, body })).json;

const openPull = (base: string) =>
  asAdmin('POST', '/pulls', { title: '😀'.repeat(200), head: 'add-a-greeting', base });

/** The product's sync against the local GitHub. */
function createSync() {
  const { env, facts, origin } = world.github;
  const { github } = readConfig(env);
  if (!github) throw new Error('the local GitHub has no App');
  const app = createGitHubApp(github, { log: pino({ level: 'silent' }) });
  const stores = fakeStores();
  const deps = {
    ...stores,
    ...fakeFacts(stores.stage),
    pulls: createPullRequests(app),
    checkRuns: createCheckRuns(app, github.appId),
    origins: { publicUrl: env.PUBLIC_URL, githubUrl: origin },
  };
  const repo = { installation: facts.installation, owner: 'octo-org', name: 'hello' };
  return { stores, sync: (repoId: number, head: string) => syncCheckRun(deps, { repo, repoId, head }) };
}

it('takes the green away when many pull requests with long titles join an approved head', async () => {
  const { stores, sync } = createSync();
  const { head, base } = await asAdmin('GET', '/pulls/1');
  const repoId = base.repo.id;
  const newest = async () => (await asAdmin('GET', `/commits/${head.sha}/check-runs`)).check_runs[0];
  stores.approvals.put(anApproval({ orgId: base.repo.owner.id, repoId, pr: 1, head: head.sha }));
  await sync(repoId, head.sha);
  expect(await newest()).toMatchObject({ status: 'completed', conclusion: 'success' });

  for (let index = 0; index < 60; index += 1) {
    const branch = `release-\`${index}\``;
    await asAdmin('POST', '/git/refs', { ref: `refs/heads/${branch}`, sha: base.sha });
    expect(await openPull(branch)).toMatchObject({ state: 'open', head: { sha: head.sha } });
  }
  await sync(repoId, head.sha);
  const { status, output, details_url } = await newest();
  expect(status).toBe('in_progress');
  expect(output.title).toMatch(/^Waiting for approvals of #2 by octocat, .* more$/);
  expect(output.summary).toMatch(/… and \[\d+ more pull requests\]\(\S+\)\.$/);
  expect(new URL(details_url).searchParams.get('headURL')).toContain(`/compare/${base.sha}...${head.sha}`);
  expect((await asAdmin('PUT', '/pulls/1/merge', {})).message).toContain('"OTP Guard" is expected.');
});

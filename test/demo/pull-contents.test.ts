import { beforeAll, describe, expect, it } from '@jest/globals';
import type { GitHubApp } from '../../src/adapters/github/app.ts';
import { createPullChanges } from '../../src/adapters/github/pull-changes.ts';
import { createPullRequests } from '../../src/adapters/github/pull-requests.ts';
import { productAt, world } from './one-world.ts';

// Changes of a pull request: the product's own adapters, and the answers against GitHub's description.

let app: GitHubApp;
const HELLO = '/repos/octo-org/hello';
const hello = () => ({ installation: world.github.facts.installation, owner: 'octo-org', name: 'hello' });

const asAdmin = (method: string, path: string, body?: unknown) =>
  world.call(method, path, { token: world.github.facts.adminToken, ...(body !== undefined && { body }) });
const asApp = async (path: string) => world.call('GET', path, { token: await world.installationToken() });

beforeAll(async () => {
  app = productAt(world.github);
  await app.probot.ready();
});

async function pullNow() {
  const pull = await createPullRequests(app).get(hello(), 1);
  if (!pull) throw new Error('there is no such pull request');
  return pull;
}

describe('the files and commits of a pull request at the local GitHub', () => {
  it('have the patch of a text', async () => {
    const list = await createPullChanges(app).list(hello(), 1, 'first');
    expect(list?.files).toMatchObject([
      {
        path: 'README.md',
        kind: 'text',
        patch: { text: expect.stringMatching(/^@@ .*\n.*\n\+Says hello\./s) },
      },
    ]);
  });

  it('are those between its base and its head, with the accounts of the commits', async () => {
    const changes = createPullChanges(app);
    expect(await changes.files(hello(), await pullNow())).toEqual({ paths: ['README.md'], isComplete: true });
    expect(await changes.commits(hello(), await pullNow())).toMatchObject({
      people: [{ login: 'mona', isMachine: false }],
      areAllVerified: false,
      isComplete: true,
    });
    for (const list of ['files', 'commits', '']) await asApp(`${HELLO}/pulls/1/${list}`.replace(/\/$/, ''));
  });

  it('are the files that a test makes up, until the next push', async () => {
    const files = [
      { filename: 'docs/Ä b.md', previous_filename: 'secret/a.md' },
      { filename: 'gone.md', status: 'removed', patch: '@@ -1,2 +0,0 @@\n-a\n-b' },
    ];
    const commits = [
      { author: 'mona', committer: 'web-flow', verified: true },
      { author: 'dependabot[bot]', committer: null, verified: true },
    ];
    await asAdmin('PUT', '/_local/pulls/octo-org/hello/1', { files, commits });
    const changes = createPullChanges(app);
    const pull = await pullNow();
    expect(await changes.files(hello(), pull)).toEqual({
      paths: ['secret/a.md', 'docs/Ä b.md', 'gone.md'],
      isComplete: true,
    });
    expect((await changes.list(hello(), 1, 'first'))?.files).toMatchObject([
      { path: 'docs/Ä b.md', kind: 'text', patch: null, additions: 0, deletions: 0 },
      {
        path: 'gone.md',
        kind: 'text',
        patch: { text: '@@ -1,2 +0,0 @@\n-a\n-b' },
        additions: 0,
        deletions: 2,
      },
    ]);
    expect(await changes.commits(hello(), pull)).toMatchObject({
      people: [{ login: 'mona' }, { login: 'dependabot[bot]', isMachine: true }],
      areAllKnown: false,
      areAllVerified: true,
      isComplete: true,
    });
    await asApp(`${HELLO}/pulls/1/files`);
    await asApp(`${HELLO}/pulls/1/commits`);
    await asAdmin('PUT', `${HELLO}/pulls/1/update-branch`);
    expect((await changes.files(hello(), pull)).isComplete).toBe(false);
    expect((await changes.files(hello(), await pullNow())).paths).not.toContain('gone.md');
  });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { GitHubApp } from '../../src/adapters/github/app.ts';
import { createPullChanges } from '../../src/adapters/github/pull-changes.ts';
import { createPullRequests } from '../../src/adapters/github/pull-requests.ts';
import { productAt, world } from './one-world.ts';

// Changes of a pull request: the product's own adapters, and the answers against GitHub's description.

let app: GitHubApp;
const HELLO = '/repos/octo-org/hello';
const hello = () => ({ installation: world.github.facts.installation, owner: 'octo-org', name: 'hello' });

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
});

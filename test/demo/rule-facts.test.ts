import { beforeAll, describe, expect, it } from '@jest/globals';
import type { GitHubApp } from '../../src/adapters/github/app.ts';
import { createTeams } from '../../src/adapters/github/members.ts';
import { createPullChanges } from '../../src/adapters/github/pull-changes.ts';
import { createPullRequests } from '../../src/adapters/github/pull-requests.ts';
import { createRepositoryAccess } from '../../src/adapters/github/repository-access.ts';
import { productAt, world } from './one-world.ts';

// What the rules ask GitHub: the product's own adapters, and the answers against GitHub's description.

let app: GitHubApp;
const HELLO = '/repos/octo-org/hello';
const hello = () => ({ installation: world.github.facts.installation, owner: 'octo-org', name: 'hello' });

const asAdmin = (method: string, path: string, body?: unknown) =>
  world.call(method, path, { token: world.github.facts.adminToken, ...(body !== undefined && { body }) });
const asApp = async (path: string) => world.call('GET', path, { token: await world.installationToken() });
const idOf = async (login: string) => (await asAdmin('GET', `/users/${login}`)).json.id as number;
const person = async (login: string) => ({ githubId: await idOf(login), login });

beforeAll(async () => {
  app = productAt(world.github);
  await app.probot.ready();
});

async function pullNow(number = 1) {
  const pull = await createPullRequests(app).get(hello(), number);
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

  it('are those that a test makes up, until the next push', async () => {
    const files = [
      { filename: 'docs/Ä b.md', previous_filename: 'secret/a.md' },
      { filename: 'gone.md', status: 'removed' },
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

describe('a team at the local GitHub', () => {
  const has = async (login: string) =>
    createTeams(app).has(hello(), '@octo-org/security', await person(login));

  it('has the members of its child teams, and not the invited ones', async () => {
    const parent = (await asAdmin('POST', '/orgs/octo-org/teams', { name: 'Security' })).json;
    await asAdmin('POST', '/orgs/octo-org/teams', { name: 'Crypto', parent_team_id: parent.id });
    expect(await has('mona')).toBe(false);
    await asAdmin('PUT', '/orgs/octo-org/teams/crypto/memberships/mona', {});
    const { payload } = await world.webhook(({ event }) => event === 'membership');
    expect(payload).toMatchObject({ action: 'added', scope: 'team', team: { slug: 'crypto' } });
    await asAdmin('PUT', '/orgs/octo-org/teams/security/memberships/hubot', {});
    expect([await has('mona'), await has('octocat'), await has('hubot')]).toEqual([true, false, false]);
    await asApp('/orgs/octo-org/teams/security/members');
    await asAdmin('DELETE', '/orgs/octo-org/teams/crypto/memberships/mona');
    expect(await has('mona')).toBe(false);
  });
});

describe('access to a repository at the local GitHub', () => {
  it('is told in GitHub’s words, and from outside apart from that of members', async () => {
    const grant = (login: string, permission: string) =>
      asAdmin('PUT', `${HELLO}/collaborators/${login}`, { permission });
    const of = async (login: string) => {
      const [access, who] = [createRepositoryAccess(app), await person(login)];
      return [await access.permission(hello(), who), await access.isCollaborator(hello(), who)];
    };
    expect(await of('octocat')).toEqual(['admin', false]);
    expect(await of('hubot')).toEqual(['read', false]);
    const roles = { pull: 'read', triage: 'triage', push: 'write', maintain: 'maintain' };
    for (const [given, told] of Object.entries(roles)) {
      await grant('hubot', given);
      expect(await of('hubot')).toEqual([told, true]);
    }
    await grant('mona', 'maintain');
    expect(await of('mona')).toEqual(['maintain', false]);
    await asApp(`${HELLO}/collaborators?affiliation=outside`);
    await asApp(`${HELLO}/collaborators/mona/permission`);
    await asAdmin('DELETE', `${HELLO}/collaborators/hubot`);
    expect(await of('hubot')).toEqual(['read', false]);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { createCheckRuns } from '../../src/adapters/github/check-runs.ts';
import { createInstallations } from '../../src/adapters/github/installations.ts';
import { createMembers, createTeams } from '../../src/adapters/github/members.ts';
import { createPullRequests } from '../../src/adapters/github/pull-requests.ts';
import { createRepositoryAccess } from '../../src/adapters/github/repository-access.ts';
import { createUserTokens } from '../../src/adapters/github/user-tokens.ts';
import type { OrganizationRef } from '../../src/organizations/ports.ts';
import { FakeClock } from '../support/fakes.ts';
import { githubFixture, type Json } from '../support/fixtures.ts';
import { type Answer, nockGitHub, type Sent } from '../support/nock-github.ts';
import {
  APP,
  CHECK_RUNS,
  CONTENT,
  INSTALLATION,
  MEMBERS,
  ofPage,
  PULLS,
  REPO,
  REPOSITORIES,
  RUNS_OF_HEAD,
  reply,
  REF as repo,
  STORY,
  TOKENS,
  testApp,
} from './bot.ts';

const github = nockGitHub();
const clock = new FakeClock();
let asked: ReturnType<typeof adapters>;

beforeEach(() => {
  asked = adapters();
});

function adapters() {
  const { app } = testApp();
  return {
    installations: createInstallations(app, APP.serverUrl),
    access: createRepositoryAccess(app, clock),
    members: createMembers(app, createRepositoryAccess(app)),
    pulls: createPullRequests(app),
    checkRuns: createCheckRuns(app, APP.appId),
    tokens: createUserTokens(app, APP.serverUrl),
    teams: createTeams(app, clock),
  };
}

const ORG: OrganizationRef = {
  orgId: STORY.ownerId,
  name: STORY.owner,
  installationId: STORY.installation,
  accountType: 'Organization',
};
const codertocat = { githubId: 21031067, login: 'Codertocat' };
const hacktocat = { githubId: 39652351, login: 'hacktocat' };
const USER_TOKEN = 'ghu_16C7e42F292c6912E7710c838347Ae178B4a';

const TOKEN_CHECK = `/applications/${APP.clientId}/token`;
const USER = `/user/${hacktocat.githubId}`;
const MEMBERSHIP = `/orgs/${STORY.owner}/memberships/${codertocat.login}`;
const TEAM = `/orgs/${STORY.owner}/teams/security/members`;
const COLLABORATORS = `${REPO}/collaborators`;
const PERMISSION = `${REPO}/collaborators/${codertocat.login}/permission`;

const ok = (body: unknown) => ({ status: 200, body });
const people = (...all: { githubId: number }[]) => ok(all.map(({ githubId: id }) => ({ id })));
const status = (code: number) => ({ status: code, body: { message: 'No' } });
/** A fixture with changed fields. */
const having = (name: string, change: object) => ok(githubFixture(name, (one) => Object.assign(one, change)));
/** A fixture about another user or organization than the requested one. */
const about = (name: string, member: string, id = 1) =>
  ok(githubFixture(name, (one) => Object.assign(member ? one[member] : one, { id })));
const unavailable = { code: 'githubUnavailable' };

describe('the check of a user token', () => {
  it('sends the App’s client id and secret, and returns the user of the token', async () => {
    github.expects('POST', TOKEN_CHECK, ok(githubFixture('token-check')));
    expect(await asked.tokens.check(USER_TOKEN)).toEqual({
      id: codertocat.githubId,
      login: codertocat.login,
      avatarUrl: githubFixture('token-check').user.avatar_url,
    });
    const basic = Buffer.from(`${APP.clientId}:${APP.clientSecret}`).toString('base64');
    expect(github.sent).toMatchObject([
      { authorization: `basic ${basic}`, body: { access_token: USER_TOKEN } },
    ]);
  });

  it.each<[string, Answer]>([
    ['GitHub answers 422', status(422)],
    ['the token has no user', having('token-check', { user: null })],
  ])('finds no user if %s', async (_what, answer) => {
    github.expects('POST', TOKEN_CHECK, answer);
    expect(await asked.tokens.check(USER_TOKEN)).toBeNull();
  });
});

describe('the installations and memberships of a person', () => {
  it('are read with the person’s own token', async () => {
    const installations = [githubFixture('installation'), githubFixture('installation-user')];
    github.expects('GET', '/user/installations', ok({ total_count: 2, installations }));
    github.expects('GET', '/user/memberships/orgs', ok([githubFixture('org-membership')]));
    expect(await asked.tokens.installations(USER_TOKEN)).toMatchObject([
      {
        id: STORY.installation,
        account: { id: STORY.ownerId, login: STORY.owner, type: 'Organization' },
        settingsUrl: 'https://github.com/organizations/Octocoders/settings/installations/957387',
      },
      {
        id: 957388,
        account: { login: 'Codertocat', type: 'User' },
        settingsUrl: 'https://github.com/settings/installations/957388',
      },
    ]);
    expect(await asked.tokens.memberships(USER_TOKEN)).toEqual([{ orgId: STORY.ownerId, role: 'member' }]);
    const token = `token ${USER_TOKEN}`;
    expect(github.sent.map(({ authorization }) => authorization)).toEqual([token, token]);
    expect(github.sent[1]?.query.get('state')).toBe('active');
  });
});

const READER = { id: codertocat.githubId, permissions: { pull: true, triage: false } };

describe('a request with the installation’s token', () => {
  beforeEach(() => github.answers('POST', TOKENS, reply.token));

  it.each<[string, Answer, 'admin' | 'member' | null]>([
    ['is member for an active member', having('org-membership', {}), 'member'],
    ['is admin for an owner', having('org-membership', { role: 'admin' }), 'admin'],
    ['is none for an invited person', having('org-membership', { state: 'pending' }), null],
    ['is none for another person who has the login now', about('org-membership', 'user'), null],
    ['is none in another organization that has the name now', about('org-membership', 'organization'), null],
  ])('returns the role in an organization: %s', async (_who, answer, role) => {
    github.expects('GET', MEMBERSHIP, answer);
    expect(await asked.members.role(ORG, codertocat)).toBe(role);
  });

  it.each<[string, Answer, string]>([
    ['is none without a permission', having('collaborator-permission', { permission: 'none' }), 'none'],
    ['is none for another person who has the login now', about('collaborator-permission', 'user'), 'none'],
    ['is none for a deleted user', having('collaborator-permission', { user: null }), 'none'],
    ['is read for a reader', having('collaborator-permission', { permission: 'read', user: READER }), 'read'],
  ])('returns the permission on a repository: %s', async (_who, answer, permission) => {
    github.expects('GET', PERMISSION, answer);
    expect(await asked.access.permission(repo, codertocat)).toBe(permission);
  });

  it.each<[string, object, string]>([
    ['write is write', {}, 'write'],
    ['write can be maintain', { role_name: 'maintain' }, 'maintain'],
    ['read can be triage', { permission: 'read', role_name: 'triage' }, 'triage'],
    ['admin is admin', { permission: 'admin', role_name: 'admin' }, 'admin'],
    ['a role that extends write is write', { role_name: 'Releaser' }, 'write'],
    [
      'a role called admin that extends read is no more',
      { permission: 'read', role_name: 'admin' },
      'triage',
    ],
  ])('returns the permission on a repository in GitHub’s words: %s', async (_what, change, permission) => {
    github.expects('GET', PERMISSION, having('collaborator-permission', change));
    expect(await asked.access.permission(repo, codertocat)).toBe(permission);
  });

  it('tells a role that extends maintain, and asks only whether that changed', async () => {
    const extended = githubFixture('collaborator-permission', (one) => {
      one.role_name = 'Releaser';
      one.user.permissions = { pull: true, triage: true, push: true, maintain: true, admin: false };
    });
    const tags: string[] = [];
    github.answers('GET', PERMISSION, ({ ifNoneMatch }) => {
      tags.push(ifNoneMatch);
      return ifNoneMatch ? { status: 304 } : { ...ok(extended), headers: { etag: '"a"' } };
    });
    expect(await asked.access.permission(repo, codertocat)).toBe('maintain');
    expect(await asked.access.permission(repo, codertocat)).toBe('maintain');
    expect(tags).toEqual(['', '"a"']);
  });

  it.each<[string, string, Answer, boolean | null]>([
    ['has a member', '@octocoders/Security', people(codertocat), true],
    ['hasn’t a stranger, nor who has their login now', '@Octocoders/security', people(hacktocat), false],
    ['is unknown if it is another organization’s', '@octo-org/security', people(codertocat), null],
    ['is unknown if it isn’t the name of a team', '@Octocoders/..', people(codertocat), null],
  ])('tells who is in a team: it %s', async (_what, team, answer, expected) => {
    github.answers('GET', TEAM, answer);
    expect(await asked.teams.has(repo, team, codertocat)).toBe(expected);
  });

  it('reads a team once for all its people, and again after ten seconds or an outage', async () => {
    const answers = [status(502), status(502), people(), people(codertocat)];
    github.answers('GET', TEAM, () => answers.shift() ?? status(500));
    const has = () => asked.teams.has(repo, '@Octocoders/security', codertocat);
    await expect(has()).rejects.toMatchObject(unavailable);
    expect(await Promise.all([has(), has()])).toEqual([false, false]);
    clock.pass(10_000);
    expect(await has()).toBe(true);
  });

  it.each<[string, Answer, boolean]>([
    ['somebody from outside with access', people(codertocat), true],
    ['nobody else', people(hacktocat), false],
  ])('tells who collaborates on a repository: %s', async (_who, answer, expected) => {
    github.expects('GET', COLLABORATORS, answer);
    expect(await asked.access.isCollaborator(repo, codertocat)).toBe(expected);
    expect(github.requests('GET', COLLABORATORS)[0]?.query.get('affiliation')).toBe('outside');
  });

  it.each<[string, Answer, string | null]>([
    ['is the login that the id has now', having('user', { login: 'new' }), 'new'],
    ['is none if the answer is about another user', about('user', ''), null],
  ])('returns the login of a user: %s', async (_what, answer, login) => {
    github.expects('GET', USER, answer);
    expect(await asked.members.loginOf(ORG, hacktocat.githubId)).toBe(login);
    expect(github.requests('GET', USER)[0]?.authorization).toBe(`token ${reply.token.body.token}`);
  });
});

describe('an answer of 403', () => {
  const IP_LIST =
    'Although you appear to have the correct authorization credentials, the `Octocoders` organization has an IP allow list enabled, and 192.0.2.1 is not permitted to access this resource.';
  const SAML =
    'Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.';

  it.each([IP_LIST, SAML])('is no answer, and has GitHub’s sentence for operators: %s', async (message) => {
    github.answers('POST', TOKENS, reply.token);
    const body = { message, documentation_url: 'https://docs.github.com/rest' };
    github.answers('GET', MEMBERSHIP, { status: 403, body });
    const refused = { ...unavailable, reason: message };
    await expect(asked.members.role(ORG, codertocat)).rejects.toMatchObject(refused);
  });

  it('to the request for a token says that the App was suspended', async () => {
    github.answers('POST', TOKENS, {
      status: 403,
      body: { message: 'This installation has been suspended' },
    });
    await expect(asked.members.role(ORG, codertocat)).rejects.toMatchObject({
      code: 'installationSuspended',
    });
  });
});

describe('the members of an organization', () => {
  const [owner, member] = githubFixture('org-members');
  const isOwners = ({ query }: Sent) => query.get('role') === 'admin';
  /** One page of owners and three pages of members, in the order of their ids. */
  const pages = (sent: Sent) =>
    isOwners(sent)
      ? ok([owner])
      : ofPage(sent, 3, (page) => [{ ...member, id: page, login: `member-${page}` }]);

  beforeEach(() => github.answers('POST', TOKENS, reply.token));

  it('are listed with their roles from all pages', async () => {
    github.answers('GET', MEMBERS, pages);
    expect(await asked.members.list(ORG)).toEqual([
      { ...codertocat, role: 'admin' },
      { githubId: 1, login: 'member-1', role: 'member' },
      { githubId: 2, login: 'member-2', role: 'member' },
      { githubId: 3, login: 'member-3', role: 'member' },
    ]);
    const queries = github.requests('GET', MEMBERS).map(({ query }) => query);
    expect(new Set(queries.map((query) => query.get('per_page')))).toEqual(new Set(['100']));
    // Owners are read twice: a member who becomes an owner in between is in the second answer.
    const roles = queries.map((query) => query.get('role'));
    expect(roles).toEqual(['admin', 'member', 'member', 'member', 'admin']);
  });

  it('are unknown if GitHub shows only the owners', async () => {
    github.answers('GET', MEMBERS, (sent) => (isOwners(sent) ? ok([owner]) : status(404)));
    expect(await asked.members.list(ORG)).toBeNull();
  });
});

it('asks for a role again with the answer’s tag, and a member who left isn’t one any more', async () => {
  github.answers('POST', TOKENS, reply.token);
  let hasLeft = false;
  github.answers('GET', MEMBERSHIP, ({ ifNoneMatch }) => {
    if (hasLeft) return status(404);
    return ifNoneMatch
      ? { status: 304 }
      : { ...ok(githubFixture('org-membership')), headers: { etag: '"a"' } };
  });
  const role = () => asked.members.role(ORG, codertocat);
  expect([await role(), await role()]).toEqual(['member', 'member']);
  expect(github.requests('GET', MEMBERSHIP).map(({ ifNoneMatch }) => ifNoneMatch)).toEqual(['', '"a"']);
  hasLeft = true;
  expect(await role()).toBeNull();
});

describe('the role in a personal account', () => {
  const account = { ...ORG, orgId: codertocat.githubId, name: 'Codertocat', accountType: 'User' } as const;
  const NAMES = ['One', 'Two', 'Three'];
  const permissionOf = (name: string) =>
    `/repos/${STORY.owner}/${name}/collaborators/${hacktocat.login}/permission`;
  const ofHacktocat = (permission: string) =>
    ok(
      githubFixture('collaborator-permission', (one) => {
        Object.assign(one.user, { id: hacktocat.githubId, login: hacktocat.login });
        one.permission = permission;
      }),
    );

  it('is admin for its owner, without a request', async () => {
    expect([await asked.members.role(account, codertocat), github.sent]).toEqual(['admin', []]);
  });

  it.each<[string, Answer, 'member' | null]>([
    ['is member for a collaborator of one of its repositories', ofHacktocat('write'), 'member'],
    ['is none for a person who can only read a public repository', ofHacktocat('read'), null],
    ['is none for a person without a permission', ofHacktocat('none'), null],
    ['is none for a person whom GitHub does not know', status(404), null],
  ])('%s', async (_who, answer, role) => {
    github.answers('POST', TOKENS, reply.token);
    github.expects('GET', REPOSITORIES, reply.repositories);
    github.expects('GET', permissionOf(STORY.name), answer);
    expect(await asked.members.role(account, hacktocat)).toBe(role);
  });

  it('is read first from the repository that gave it last, then from the others', async () => {
    let writable = 'Three';
    github.answers('POST', TOKENS, reply.token);
    const [one] = reply.repositories.body.repositories;
    const repositories = NAMES.map((name, id) => ({ ...one, id, name }));
    github.answers('GET', REPOSITORIES, ok({ total_count: 3, repositories }));
    for (const name of NAMES)
      github.answers('GET', permissionOf(name), () => ofHacktocat(name === writable ? 'write' : 'read'));

    /** The role, and the repositories that GitHub was asked about. */
    async function lookedUp(): Promise<[string | null, string[]]> {
      const before = github.sent.length;
      const role = await asked.members.role(account, hacktocat);
      const paths = github.sent.slice(before).map(({ path }) => path);
      return [role, paths.flatMap((path) => /^\/repos\/[^/]+\/([^/]+)\//.exec(path)?.[1] ?? [])];
    }

    expect(await lookedUp()).toEqual(['member', NAMES]);
    expect(await lookedUp()).toEqual(['member', ['Three']]);
    writable = 'Two';
    expect(await lookedUp()).toEqual(['member', ['Three', 'One', 'Two']]);
    writable = 'none';
    expect(await lookedUp()).toEqual([null, ['Two', 'One', 'Three']]);
    expect(await lookedUp()).toEqual([null, NAMES]);
  });
});

describe('a pull request', () => {
  const MERGE = 'cd'.repeat(20);
  beforeEach(() => github.answers('POST', TOKENS, reply.token));

  it('is read with the installation’s token', async () => {
    github.expects('GET', `${PULLS}/2`, ok(githubFixture('pull-request')));
    expect(await asked.pulls.get(repo, 2)).toEqual({
      number: 2,
      title: 'Update the README with new information.',
      author: {
        id: 21031067,
        login: 'Codertocat',
        avatarUrl: expect.stringContaining('https://'),
        isMachine: false,
      },
      open: true,
      head: STORY.head,
      headBranch: 'changes',
      base: 'master',
      baseSha: STORY.baseSha,
      repo: { id: STORY.repoId, owner: STORY.owner, name: STORY.name, ownerId: STORY.ownerId },
      merged: false,
      mergedAt: null,
      mergedBy: null,
      mergeCommit: null,
      createdAt: new Date('2019-05-15T15:20:33Z'),
      reviewers: { people: [5346], teams: [] },
      size: { files: 1, additions: 1, deletions: 1 },
    });
    expect(github.sent[1]?.authorization).toBe(`token ${reply.token.body.token}`);
  });

  it.each([
    ['in a fork', { id: 1 }, 'mona:changes', 'mona:changes'],
    ['in a fork that was deleted', null, 'mona:changes', 'mona:changes'],
    ['without a label', null, null, 'changes'],
  ])('names a head branch %s', async (_, fork, label, shown) => {
    const head = { ...(githubFixture('pull-request') as Json).head, repo: fork, label };
    github.expects('GET', `${PULLS}/2`, having('pull-request', { head }));
    expect((await asked.pulls.get(repo, 2))?.headBranch).toBe(shown);
  });

  it('is found among those merged last into a branch, with the commit that merged it', async () => {
    const [open] = githubFixture('pulls') as Json[];
    const merged = { ...open, state: 'closed', merged_at: '2019-05-16T15:20:33Z', merge_commit_sha: MERGE };
    github.expects('GET', PULLS, ok([{ ...open, state: 'closed', merge_commit_sha: 'ab' }, merged]));
    expect(await asked.pulls.findMerge(repo, 'master')).toBe(MERGE);
    const [request] = github.requests('GET', PULLS);
    expect(Object.fromEntries(request?.query ?? [])).toMatchObject({ state: 'closed', base: 'master' });
    github.expects('GET', PULLS, ok([]));
    expect(await asked.pulls.findMerge(repo, 'master')).toBeNull();
  });
});

describe('an installation', () => {
  it('is read with the App’s own signature', async () => {
    github.expects('GET', INSTALLATION, having('installation', { repository_selection: 'all' }));
    expect(await asked.installations.get(STORY.installation)).toEqual({
      id: STORY.installation,
      account: {
        id: STORY.ownerId,
        login: STORY.owner,
        type: 'Organization',
        htmlUrl: 'https://github.com/Octocoders',
      },
      suspended: false,
      repositorySelection: 'all',
      settingsUrl: 'https://github.com/organizations/Octocoders/settings/installations/957387',
      permissions: githubFixture('installation').permissions,
    });
    expect(github.sent[0]?.authorization).toMatch(/^bearer eyJ/i);
  });

  it('lists its repositories with their ids, without archived ones', async () => {
    github.expects('POST', TOKENS, reply.token);
    const [one] = reply.repositories.body.repositories;
    const repositories = [one, { ...one, id: 10, archived: true }];
    github.expects('GET', REPOSITORIES, ok({ total_count: 2, repositories }));
    expect(await asked.installations.repositories(STORY.installation)).toEqual([
      { id: STORY.repoId, owner: STORY.owner, name: STORY.name, defaultBranch: 'master' },
    ]);
  });
});

describe('a check run', () => {
  const found = (change: (run: Json) => void) =>
    ok(githubFixture('check-runs', ({ check_runs }) => change(check_runs[0])));

  beforeEach(() => github.answers('POST', TOKENS, reply.token));

  it('is found among the App’s own runs of the head, by its name', async () => {
    github.expects('GET', RUNS_OF_HEAD, reply.runs);
    const detailsUrl = 'https://otp-guard.example/collect';
    const run = { id: 128620228, status: 'in_progress', conclusion: null, detailsUrl };
    expect(await asked.checkRuns.findNewest(repo, STORY.head)).toEqual(run);
    expect(Object.fromEntries(github.sent[1]?.query ?? [])).toMatchObject({
      check_name: 'OTP Guard',
      app_id: String(APP.appId),
      filter: 'latest',
    });
  });

  it.each([
    { status: 'queued', conclusion: null },
    { status: 'completed', conclusion: 'stale' },
  ])('has the status and conclusion that GitHub shows now: %j', async (shown) => {
    const answer = found((run) => Object.assign(run, shown));
    github.expects('GET', RUNS_OF_HEAD, answer);
    expect(await asked.checkRuns.findNewest(repo, STORY.head)).toMatchObject({ id: 128620228, ...shown });
  });

  it.each<[string, Answer]>([
    ['there is none', reply.noRuns],
    ['it belongs to another App', found((run) => (run.app.id = 1))],
    ['it belongs to no App', found((run) => (run.app = null))],
    ['it belongs to another head', found((run) => (run.head_sha = 'cd'.repeat(20)))],
    ['the head does not exist', status(422)],
  ])('is not found if %s', async (_what, answer) => {
    github.expects('GET', RUNS_OF_HEAD, answer);
    expect(await asked.checkRuns.findNewest(repo, STORY.head)).toBeNull();
  });

  it('counts as not updated if GitHub keeps it completed', async () => {
    const kept = having('check-run', { status: 'completed', conclusion: 'success' });
    github.expects('PATCH', `${CHECK_RUNS}/7`, kept);
    expect(await asked.checkRuns.update(repo, 7, CONTENT, 'completion')).toBe(false);
  });

  it('is updated with its whole content, and counts as not updated if it no longer exists', async () => {
    github.expects('PATCH', `${CHECK_RUNS}/7`, reply.updated);
    github.expects('PATCH', `${CHECK_RUNS}/8`, status(404));
    const done = { ...CONTENT, status: 'completed', conclusion: 'success' } as const;
    expect(await asked.checkRuns.update(repo, 7, done, 'completion')).toBe(true);
    expect(await asked.checkRuns.update(repo, 8, done, 'completion')).toBe(false);
    expect(github.requests('PATCH', `${CHECK_RUNS}/7`)[0]?.body).toEqual({
      status: 'completed',
      conclusion: 'success',
      details_url: CONTENT.detailsUrl,
      output: { title: CONTENT.title, summary: CONTENT.summary },
    });
  });

  it('has the text below the summary', async () => {
    github.expects('POST', CHECK_RUNS, reply.run);
    await asked.checkRuns.create(repo, STORY.head, { ...CONTENT, text: 'For programs' }, 'other');
    const [sent] = github.requests('POST', CHECK_RUNS);
    expect(sent?.body).toMatchObject({ output: { summary: CONTENT.summary, text: 'For programs' } });
  });

  it('has a summary that ends with the log', async () => {
    github.expects('PATCH', `${CHECK_RUNS}/7`, reply.updated);
    await asked.checkRuns.update(repo, 7, { ...CONTENT, log: 'Log: 1 entry.' }, 'completion');
    const [sent] = github.requests('PATCH', `${CHECK_RUNS}/7`);
    expect(sent?.body).toMatchObject({ output: { summary: `${CONTENT.summary}\n\nLog: 1 entry.` } });
  });

  it('is refused if GitHub doesn’t take the text', async () => {
    github.expects('POST', CHECK_RUNS, status(422));
    github.expects('PATCH', `${CHECK_RUNS}/7`, status(422));
    expect(await asked.checkRuns.create(repo, STORY.head, CONTENT, 'takeAway')).toBe('refused');
    expect(await asked.checkRuns.update(repo, 7, CONTENT, 'completion')).toBe('refused');
  });

  it('is created once GitHub knows the commit, which its webhook can arrive before', async () => {
    const unknown = { status: 422, body: { message: `No commit found for SHA: ${STORY.head}` } };
    github.answers('POST', CHECK_RUNS, () =>
      github.requests('POST', CHECK_RUNS).length === 1 ? unknown : reply.run,
    );
    expect(await asked.checkRuns.create(repo, STORY.head, CONTENT, 'other')).toBe(128620228);
    const [first, second, ...more] = github.requests('POST', CHECK_RUNS);
    expect([second?.body, more]).toEqual([first?.body, []]);
  });

  it('is an error, and no refusal of the text, if GitHub doesn’t know the commit for longer', async () => {
    github.expects('POST', CHECK_RUNS, { status: 422, body: { message: 'No commit found for SHA: 1' } }, 2);
    const created = asked.checkRuns.create(repo, STORY.head, CONTENT, 'other');
    await expect(created).rejects.toMatchObject(unavailable);
  });
});

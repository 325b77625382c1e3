import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OrganizationRef } from '../../src/accounts/ports.ts';
import type { CheckRunContent } from '../../src/approvals/ports.ts';
import { createCheckRuns } from '../../src/github/check-runs.ts';
import { createInstallations } from '../../src/github/installations.ts';
import { createMembers } from '../../src/github/members.ts';
import { createPullRequests } from '../../src/github/pull-requests.ts';
import { createUserTokens } from '../../src/github/user-tokens.ts';
import { githubFixture, type Json } from '../support/fixtures.ts';
import { type Answer, type NockGitHub, startNockGitHub } from '../support/nock-github.ts';
import { APP, CHECK_RUNS, MEMBERS, PULLS, REPO, reply, STORY, TOKENS, testApp } from './bot.ts';

let github: NockGitHub;
let asked: ReturnType<typeof adapters>;

beforeEach(() => {
  github = startNockGitHub();
  asked = adapters();
});
afterEach(() => github.finish());

function adapters() {
  const { app } = testApp();
  return {
    installations: createInstallations(app, APP.serverUrl),
    members: createMembers(app),
    pulls: createPullRequests(app),
    checkRuns: createCheckRuns(app, APP.appId),
    tokens: createUserTokens(app, APP.serverUrl),
  };
}

const ORG: OrganizationRef = {
  orgId: STORY.ownerId,
  name: STORY.owner,
  installationId: STORY.installation,
  accountType: 'Organization',
};
const repo = { installation: STORY.installation, owner: STORY.owner, name: STORY.name };
const codertocat = { githubId: 21031067, login: 'Codertocat' };
const USER_TOKEN = 'ghu_16C7e42F292c6912E7710c838347Ae178B4a';
const BASIC = `basic ${Buffer.from(`${APP.clientId}:${APP.clientSecret}`).toString('base64')}`;

const ok = (body: unknown): Answer => ({ status: 200, body });
const status = (code: number): Answer => ({ status: code, body: { message: 'No' } });

describe('the check of a user token', () => {
  const TOKEN_CHECK = `/applications/${APP.clientId}/token`;

  it('asks with the App’s own name and secret, and answers whose token it is', async () => {
    github.expects('POST', TOKEN_CHECK, ok(githubFixture('token-check')));
    expect(await asked.tokens.check(USER_TOKEN)).toEqual({
      id: codertocat.githubId,
      login: codertocat.login,
      avatarUrl: githubFixture('token-check').user.avatar_url,
    });
    expect(github.sent).toMatchObject([{ authorization: BASIC, body: { access_token: USER_TOKEN } }]);
  });

  it.each([404, 422])('says of a token that GitHub answers %d for that it is none', async (code) => {
    github.expects('POST', TOKEN_CHECK, status(code));
    expect(await asked.tokens.check(USER_TOKEN)).toBeNull();
  });

  it('takes a refusal of the App’s own name and secret for a fault of ours', async () => {
    github.answers('POST', TOKEN_CHECK, status(401));
    await expect(asked.tokens.check(USER_TOKEN)).rejects.toMatchObject({ code: 'githubUnavailable' });
  });

  it('says of a token without a user that it is none', async () => {
    github.expects('POST', TOKEN_CHECK, ok(githubFixture('token-check', (token) => (token.user = null))));
    expect(await asked.tokens.check(USER_TOKEN)).toBeNull();
  });
});

describe('what a person can see', () => {
  it('is asked with their own token', async () => {
    const installations = [githubFixture('installation'), githubFixture('installation-user')];
    github.expects('GET', '/user/installations', ok({ total_count: 2, installations }));
    github.expects('GET', '/user/memberships/orgs', ok([githubFixture('org-membership')]));
    expect(await asked.tokens.installations(USER_TOKEN)).toMatchObject([
      { id: STORY.installation, account: { id: STORY.ownerId, login: STORY.owner, type: 'Organization' } },
      { id: 957388, account: { login: 'Codertocat', type: 'User' } },
    ]);
    expect(await asked.tokens.memberships(USER_TOKEN)).toEqual([{ orgId: STORY.ownerId, role: 'member' }]);
    expect(github.sent.map(({ authorization }) => authorization)).toEqual([
      `token ${USER_TOKEN}`,
      `token ${USER_TOKEN}`,
    ]);
    expect(github.sent[1]?.query.get('state')).toBe('active');
  });

  it.each([401, 403, 404])('is nothing where GitHub answers %d', async (code) => {
    github.expects('GET', '/user/installations', status(code));
    github.expects('GET', '/user/memberships/orgs', status(code));
    expect(await asked.tokens.installations(USER_TOKEN)).toEqual([]);
    expect(await asked.tokens.memberships(USER_TOKEN)).toEqual([]);
  });
});

describe('who belongs to an organization', () => {
  const org = ORG;
  const MEMBERSHIP = `/orgs/${STORY.owner}/memberships/${codertocat.login}`;
  const membership = (change: (one: Json) => void = () => undefined) =>
    ok(githubFixture('org-membership', change));

  beforeEach(() => github.answers('POST', TOKENS, reply.token));

  it.each<[string, Answer, 'admin' | 'member' | null]>([
    ['an active member', membership(), 'member'],
    ['an owner', membership((one) => Object.assign(one, { role: 'admin' })), 'admin'],
    ['one who is only invited', membership((one) => Object.assign(one, { state: 'pending' })), null],
    ['another person who has the login now', membership((one) => Object.assign(one.user, { id: 1 })), null],
    [
      'another organization of that name',
      membership((one) => Object.assign(one.organization, { id: 1 })),
      null,
    ],
    ['a stranger', status(404), null],
    ['one whom the installation may not ask about', status(403), null],
  ])('%s', async (_who, answer, role) => {
    github.expects('GET', MEMBERSHIP, answer);
    expect(await asked.members.role(org, codertocat)).toBe(role);
  });
});

describe('the members of an organization', () => {
  const [codertocatUser, hacktocatUser] = githubFixture('org-members');
  /** Three pages of members and one of owners, in that order of ids. */
  const pages: Answer = ({ query }) => {
    if (query.get('role') === 'admin') return { status: 200, body: [codertocatUser] };
    const page = Number(query.get('page') ?? 1);
    const next = `<https://api.github.com${MEMBERS}?role=member&per_page=100&page=${page + 1}>; rel="next"`;
    return {
      status: 200,
      body: [{ ...hacktocatUser, id: page, login: `member-${page}` }],
      headers: page < 3 ? { link: next } : {},
    };
  };

  it('are listed with their roles, to the last page', async () => {
    github.expects('POST', TOKENS, reply.token);
    github.answers('GET', MEMBERS, pages);
    expect(await asked.members.list(ORG)).toEqual([
      { ...codertocat, role: 'admin' },
      { githubId: 1, login: 'member-1', role: 'member' },
      { githubId: 2, login: 'member-2', role: 'member' },
      { githubId: 3, login: 'member-3', role: 'member' },
    ]);
    const queries = github.requests('GET', MEMBERS).map(({ query }) => query);
    expect(new Set(queries.map((query) => query.get('per_page')))).toEqual(new Set(['100']));
    // Owners twice: whoever becomes one in between is in the second answer.
    const roles = queries.map((query) => query.get('role'));
    expect(roles).toEqual(['admin', 'member', 'member', 'member', 'admin']);
  });

  it.each([403, 404])('are not known where GitHub shows the installation none (%d)', async (code) => {
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', MEMBERS, status(code));
    expect(await asked.members.list(ORG)).toBeNull();
  });

  it('are not known where GitHub shows owners alone', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', MEMBERS, ({ query }) =>
      query.get('role') === 'admin' ? { status: 200, body: [codertocatUser] } : { status: 403, body: {} },
    );
    expect(await asked.members.list(ORG)).toBeNull();
  });

  it('are not known where a later page does not come', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', MEMBERS, (request) => {
      const isLater = request.query.get('page') === '2';
      return isLater
        ? { status: 500, body: {} }
        : (pages as (one: typeof request) => { status: number })(request);
    });
    await expect(asked.members.list(ORG)).rejects.toMatchObject({ code: 'githubUnavailable' });
  });
});

describe('the login of a GitHub user', () => {
  const other = { githubId: 39652351, login: 'hacktocat' };
  const USER = `/user/${other.githubId}`;
  beforeEach(() => github.answers('POST', TOKENS, reply.token));

  it.each<[string, Answer, string | null]>([
    [
      'is the one that the id has now',
      ok(githubFixture('user', (one) => Object.assign(one, { login: 'new' }))),
      'new',
    ],
    ['is none where there is no such user any more', status(404), null],
    [
      'is none where the answer is about another',
      ok(githubFixture('user', (one) => Object.assign(one, { id: 1 }))),
      null,
    ],
  ])('%s', async (_what, answer, login) => {
    github.expects('GET', USER, answer);
    expect(await asked.members.loginOf(ORG, other.githubId)).toBe(login);
    expect(github.requests('GET', USER)[0]?.authorization).toBe(`token ${reply.token.body.token}`);
  });

  it.each([401, 403, 500])('is not known where GitHub answers %d', async (code) => {
    github.answers('GET', USER, status(code));
    await expect(asked.members.loginOf(ORG, other.githubId)).rejects.toMatchObject({
      code: 'githubUnavailable',
    });
  });
});

describe('who belongs to a personal account', () => {
  const account: OrganizationRef = {
    orgId: codertocat.githubId,
    name: codertocat.login,
    installationId: STORY.installation,
    accountType: 'User',
  };
  const other = { githubId: 39652351, login: 'hacktocat' };
  const permission = `${REPO}/collaborators/${other.login}/permission`;
  const ofOther = (change: object = {}) =>
    ok(
      githubFixture('collaborator-permission', (one) => {
        Object.assign(one.user, { id: other.githubId, login: other.login });
        Object.assign(one, change);
      }),
    );

  it('its owner, without a question', async () => {
    expect(await asked.members.role(account, codertocat)).toBe('admin');
    expect(github.sent).toEqual([]);
  });

  it.each<[string, Answer, 'member' | null]>([
    ['nobody for reading what is public', ofOther({ permission: 'read' }), null],
    ['a collaborator of one of its repositories', ofOther(), 'member'],
    ['nobody else', ofOther({ permission: 'none' }), null],
    ['nobody whom GitHub does not know', status(404), null],
  ])('%s', async (_who, answer, role) => {
    github.answers('POST', TOKENS, reply.token);
    github.expects('GET', '/installation/repositories', reply.repositories);
    github.expects('GET', permission, answer);
    expect(await asked.members.role(account, other)).toBe(role);
  });

  describe('with many repositories', () => {
    const NAMES = ['One', 'Two', 'Three'];
    const permissionOf = (name: string) =>
      `/repos/${STORY.owner}/${name}/collaborators/${other.login}/permission`;
    let writable: string;

    beforeEach(() => {
      writable = 'Three';
      github.answers('POST', TOKENS, reply.token);
      const [one] = reply.repositories.body.repositories;
      const repositories = NAMES.map((name) => ({ ...one, name }));
      github.answers('GET', '/installation/repositories', ok({ total_count: 3, repositories }));
      for (const name of NAMES)
        github.answers('GET', permissionOf(name), (request) => {
          const answer = ofOther({ permission: name === writable ? 'write' : 'read' });
          return typeof answer === 'function' ? answer(request) : answer;
        });
    });

    /** The repositories that were asked about, for one question about the person. */
    async function askedFor(): Promise<[string | null, string[]]> {
      const before = github.sent.length;
      const role = await asked.members.role(account, other);
      const paths = github.sent.slice(before).map(({ path }) => path);
      return [role, paths.flatMap((path) => /^\/repos\/[^/]+\/([^/]+)\//.exec(path)?.[1] ?? [])];
    }

    it('a collaborator is asked about first where they were found last', async () => {
      expect(await askedFor()).toEqual(['member', NAMES]);
      expect(await askedFor()).toEqual(['member', ['Three']]);
    });

    it('a hint is no answer: where they left, all are asked about again', async () => {
      await askedFor();
      writable = 'Two';
      expect(await askedFor()).toEqual(['member', ['Three', 'One', 'Two']]);
      writable = 'none';
      expect(await askedFor()).toEqual([null, ['Two', 'One', 'Three']]);
      expect(await askedFor()).toEqual([null, NAMES]);
    });
  });
});

describe('who may read a repository', () => {
  const PERMISSION = `${REPO}/collaborators/${codertocat.login}/permission`;
  const permission = (change: (one: Json) => void = () => undefined) =>
    ok(githubFixture('collaborator-permission', change));

  beforeEach(() => github.answers('POST', TOKENS, reply.token));

  it.each<[string, Answer, string]>([
    ['one who may write', permission(), 'write'],
    ['one who may read', permission((one) => Object.assign(one, { permission: 'read' })), 'read'],
    ['nobody without a permission', permission((one) => Object.assign(one, { permission: 'none' })), 'none'],
    ['nobody else who has the login now', permission((one) => Object.assign(one.user, { id: 1 })), 'none'],
    ['nobody whom GitHub knows no more', permission((one) => Object.assign(one, { user: null })), 'none'],
    ['nobody where there is no such repository', status(404), 'none'],
    ['nobody where the installation may not ask', status(403), 'none'],
  ])('%s', async (_who, answer, can) => {
    github.expects('GET', PERMISSION, answer);
    expect(await asked.members.level(repo, codertocat)).toBe(can);
  });
});

describe('a pull request', () => {
  beforeEach(() => github.answers('POST', TOKENS, reply.token));

  it('is read with the installation’s token', async () => {
    github.expects('GET', `${PULLS}/2`, ok(githubFixture('pull-request')));
    expect(await asked.pulls.get(repo, 2)).toEqual({
      number: 2,
      title: 'Update the README with new information.',
      author: { login: 'Codertocat', avatarUrl: expect.stringContaining('https://') },
      open: true,
      head: STORY.head,
      base: 'master',
      repo: { id: STORY.repoId, owner: STORY.owner, name: STORY.name, ownerId: STORY.ownerId },
      merged: false,
      mergedBy: null,
    });
    expect(github.sent[1]?.authorization).toBe(`token ${reply.token.body.token}`);
  });

  it('of an account that is gone has no author', async () => {
    github.expects('GET', `${PULLS}/2`, ok(githubFixture('pull-request', (pull) => (pull.user = null))));
    expect((await asked.pulls.get(repo, 2))?.author).toBeNull();
  });

  it.each([403, 404])('that the installation cannot see is none (%d)', async (code) => {
    github.expects('GET', `${PULLS}/2`, status(code));
    github.expects('GET', PULLS, status(code));
    expect(await asked.pulls.get(repo, 2)).toBeNull();
    expect(await asked.pulls.listOpen(repo)).toBeNull();
  });

  it('is none where GitHub gives the installation no token', async () => {
    const gone = { ...repo, installation: 1 };
    github.answers('POST', '/app/installations/1/access_tokens', status(404));
    expect(await asked.pulls.get(gone, 2)).toBeNull();
  });
});

describe('an installation', () => {
  const INSTALLATION = `/app/installations/${STORY.installation}`;

  it('is read with the App’s own signature', async () => {
    github.expects('GET', INSTALLATION, ok(githubFixture('installation')));
    expect(await asked.installations.get(STORY.installation)).toEqual({
      id: STORY.installation,
      account: {
        id: STORY.ownerId,
        login: STORY.owner,
        type: 'Organization',
        htmlUrl: 'https://github.com/Octocoders',
      },
      suspended: false,
      repositorySelection: 'selected',
      settingsUrl: 'https://github.com/organizations/Octocoders/settings/installations/957387',
      permissions: githubFixture('installation').permissions,
    });
    expect(github.sent[0]?.authorization).toMatch(/^bearer eyJ/i);
  });

  it('has its repositories with their ids, without archived ones, to the last page', async () => {
    const PATH = '/installation/repositories';
    github.expects('POST', TOKENS, reply.token);
    github.answers('GET', PATH, ({ query }) => {
      const page = Number(query.get('page') ?? 1);
      const [one] = reply.repositories.body.repositories;
      const repositories = [
        { ...one, id: page, name: `R${page}` },
        { ...one, id: page + 10, archived: true },
      ];
      const next = `<https://api.github.com${PATH}?per_page=100&page=${page + 1}>; rel="next"`;
      return { status: 200, body: { total_count: 4, repositories }, headers: page < 2 ? { link: next } : {} };
    });
    expect(await asked.installations.repositories(STORY.installation)).toEqual([
      { id: 1, owner: STORY.owner, name: 'R1', defaultBranch: 'master' },
      { id: 2, owner: STORY.owner, name: 'R2', defaultBranch: 'master' },
    ]);
  });

  it('says which repositories it was given, and where an owner changes that', async () => {
    github.expects(
      'GET',
      INSTALLATION,
      ok(githubFixture('installation', (one) => Object.assign(one, { repository_selection: 'all' }))),
    );
    expect(await asked.installations.get(STORY.installation)).toMatchObject({ repositorySelection: 'all' });
    const installations = [githubFixture('installation'), githubFixture('installation-user')];
    github.expects('GET', '/user/installations', ok({ total_count: 2, installations }));
    expect((await asked.tokens.installations(USER_TOKEN)).map(({ settingsUrl }) => settingsUrl)).toEqual([
      'https://github.com/organizations/Octocoders/settings/installations/957387',
      'https://github.com/settings/installations/957388',
    ]);
  });

  it('that is not there is none', async () => {
    github.expects('GET', INSTALLATION, status(404));
    expect(await asked.installations.get(STORY.installation)).toBeNull();
  });

  it('lists are read to their last page', async () => {
    github.answers('GET', '/app/installations', ({ query }) => {
      const page = Number(query.get('page') ?? 1);
      const next = `<https://api.github.com/app/installations?per_page=100&page=${page + 1}>; rel="next"`;
      const one = githubFixture('installation', (installation) => (installation.id = page));
      return { status: 200, body: [one], headers: page < 3 ? { link: next } : {} };
    });
    expect((await asked.installations.list()).map(({ id }) => id)).toEqual([1, 2, 3]);
  });
});

describe('a check run', () => {
  const RUNS = `${REPO}/commits/${STORY.head}/check-runs`;
  const found = (change: (run: Json) => void) =>
    ok(githubFixture('check-runs', ({ check_runs }) => change(check_runs[0])));

  beforeEach(() => github.answers('POST', TOKENS, reply.token));

  it('is found among ours on the head, by our name', async () => {
    github.expects('GET', RUNS, reply.runs);
    const run = { id: 128620228, status: 'in_progress', conclusion: null };
    expect(await asked.checkRuns.find(repo, STORY.head)).toEqual(run);
    expect(Object.fromEntries(github.sent[1]?.query ?? [])).toMatchObject({
      check_name: 'OTP Guard',
      app_id: String(APP.appId),
      filter: 'latest',
    });
  });

  it.each([
    ['somebody asked for a re-run', { status: 'queued', conclusion: null }],
    ['GitHub let it go stale', { status: 'completed', conclusion: 'stale' }],
    ['it is done', { status: 'completed', conclusion: 'success' }],
  ])('is as GitHub has it, where %s', async (_what, change) => {
    github.expects(
      'GET',
      RUNS,
      found((run) => Object.assign(run, change)),
    );
    expect(await asked.checkRuns.find(repo, STORY.head)).toEqual({ id: 128620228, ...change });
  });

  it.each<[string, Answer]>([
    ['there is none', reply.noRuns],
    ['it is of another App', found((run) => (run.app.id = 1))],
    ['it is of no App', found((run) => (run.app = null))],
    ['it is of another head', found((run) => (run.head_sha = 'cd'.repeat(20)))],
    ['the head is not there', status(422)],
    ['the repository is not there', status(404)],
  ])('is none where %s', async (_what, answer) => {
    github.expects('GET', RUNS, answer);
    expect(await asked.checkRuns.find(repo, STORY.head)).toBeNull();
  });

  it('is not taken for waiting where GitHub keeps it completed', async () => {
    github.expects(
      'PATCH',
      `${CHECK_RUNS}/7`,
      ok(
        githubFixture('check-run', (run) =>
          Object.assign(run, { status: 'completed', conclusion: 'success' }),
        ),
      ),
    );
    expect(await asked.checkRuns.update(repo, 7, CONTENT)).toBe(false);
  });

  it('is updated, or is gone', async () => {
    github.expects('PATCH', `${CHECK_RUNS}/7`, reply.updated);
    github.expects('PATCH', `${CHECK_RUNS}/8`, status(404));
    const done = { ...CONTENT, status: 'completed', conclusion: 'success' } as const;
    expect(await asked.checkRuns.update(repo, 7, done)).toBe(true);
    expect(await asked.checkRuns.update(repo, 8, done)).toBe(false);
    expect(github.requests('PATCH', `${CHECK_RUNS}/7`)[0]?.body).toEqual({
      status: 'completed',
      conclusion: 'success',
      details_url: CONTENT.detailsUrl,
      output: { title: CONTENT.title, summary: CONTENT.summary },
    });
  });
});

const CONTENT: CheckRunContent = {
  status: 'in_progress',
  detailsUrl: 'https://guard.example.org/collect',
  title: 'Waiting for an approval',
  summary: 'Approve it.',
};

/** GitHub answers every question so; what each adapter makes of it. */
async function askedAll(answer: Answer) {
  const org = ORG;
  github.answers('POST', TOKENS, reply.token);
  for (const [method, path] of [
    ['POST', `/applications/${APP.clientId}/token`],
    ['GET', '/user/installations'],
    ['GET', '/user/memberships/orgs'],
    ['GET', '/app/installations'],
    ['GET', `/app/installations/${STORY.installation}`],
    ['GET', '/installation/repositories'],
    ['GET', `/orgs/${STORY.owner}/memberships/${codertocat.login}`],
    ['GET', MEMBERS],
    ['GET', `/user/${codertocat.githubId}`],
    ['GET', `${REPO}/collaborators/${codertocat.login}/permission`],
    ['GET', PULLS],
    ['GET', `${PULLS}/2`],
    ['GET', `${REPO}/commits/${STORY.head}/check-runs`],
    ['POST', CHECK_RUNS],
    ['PATCH', `${CHECK_RUNS}/7`],
  ] as const)
    github.answers(method, path, answer);
  const questions = {
    'tokens.check': asked.tokens.check(USER_TOKEN),
    'tokens.installations': asked.tokens.installations(USER_TOKEN),
    'tokens.memberships': asked.tokens.memberships(USER_TOKEN),
    'installations.get': asked.installations.get(STORY.installation),
    'installations.list': asked.installations.list(),
    'installations.repositories': asked.installations.repositories(STORY.installation),
    'members.role': asked.members.role(org, codertocat),
    'members.loginOf': asked.members.loginOf(org, codertocat.githubId),
    'members.list': asked.members.list(org),
    'members.level': asked.members.level(repo, codertocat),
    'pulls.get': asked.pulls.get(repo, 2),
    'pulls.listOpen': asked.pulls.listOpen(repo),
    'checkRuns.find': asked.checkRuns.find(repo, STORY.head),
    'checkRuns.create': asked.checkRuns.create(repo, STORY.head, CONTENT),
    'checkRuns.update': asked.checkRuns.update(repo, 7, CONTENT),
  };
  const outcomes = await Promise.all(
    Object.entries(questions).map(async ([question, answered]) => {
      const outcome = await answered.catch((error: { code?: string }) => error.code ?? String(error));
      return [question, outcome] as const;
    }),
  );
  return Object.fromEntries(outcomes);
}

describe('while GitHub does not answer', () => {
  it.each<[string, Answer]>([
    ['an error', status(500)],
    ['too many requests', status(429)],
    ['a secondary rate limit', { status: 403, body: {}, headers: { 'retry-after': '60' } }],
    ['a rate limit', { status: 403, body: {}, headers: { 'x-ratelimit-remaining': '0' } }],
  ])('nothing is taken for a yes or a no: %s', async (_what, answer) => {
    const outcomes = await askedAll(answer);
    expect(new Set(Object.values(outcomes))).toEqual(new Set(['githubUnavailable']));
    // What came of it is not known, so it is not sent again without a look.
    expect(github.requests('POST', CHECK_RUNS)).toHaveLength(1);
  });

  it('waits a second for the one more try, also when it failed before', async () => {
    github.answers('POST', TOKENS, reply.token);
    const times: number[] = [];
    github.answers('GET', `${PULLS}/2`, () => {
      times.push(Date.now());
      return { status: 500, body: {} };
    });
    for (let round = 0; round < 2; round += 1) await asked.pulls.get(repo, 2).catch(() => undefined);
    const [, , third = 0, fourth = 0] = times;
    expect(times).toHaveLength(4);
    expect(fourth - third).toBeLessThan(2_000);
  });

  it('asks once where GitHub said no', async () => {
    await askedAll(status(404));
    const paths = github.sent.map(({ method, path }) => `${method} ${path}`);
    const again = paths.filter((path, index) => paths.indexOf(path) !== index);
    // Owners and members are two questions.
    expect(again).toEqual([`GET ${MEMBERS}`]);
  });
});

/** GitHub moves a renamed repository or organization so, and sends its own address (docs.github.com, "Redirects"). */
describe('what GitHub has moved', () => {
  it.each([301, 302, 307, 308])('is never taken for an answer, and not followed (%d)', async (code) => {
    const outcomes = await askedAll({
      status: code,
      body: { message: 'Moved', url: 'https://api.github.com/repositories/1' },
      headers: { location: 'https://evil.example/repositories/1' },
    });
    const nothing = ['none', null, false, 'githubUnavailable'];
    const wrong = Object.entries(outcomes).filter(
      ([, outcome]) =>
        !nothing.includes(outcome as null) && !(Array.isArray(outcome) && outcome.length === 0),
    );
    expect(wrong).toEqual([]);
    expect(outcomes['checkRuns.create']).toBe('githubUnavailable');
  });
});

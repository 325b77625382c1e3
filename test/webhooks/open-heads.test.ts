import { describe, expect, it } from '@jest/globals';
import { schema, validate } from '@octokit/graphql-schema';
import nock from 'nock';
import pino from 'pino';
import { createGitHubApp } from '../../src/adapters/github/app.ts';
import { createOpenHeads } from '../../src/adapters/github/open-heads.ts';
import { OPEN_HEADS } from '../../src/adapters/github/open-heads-query.ts';
import { createPullRequests } from '../../src/adapters/github/pull-requests.ts';
import { FakeClock } from '../support/fakes.ts';
import { githubFixture, type Json } from '../support/fixtures.ts';
import { nockGitHub, type Sent } from '../support/nock-github.ts';
import { APP, PULLS, reply, STORY, TOKENS, testApp } from './bot.ts';

const github = nockGitHub();
const GRAPHQL = '/graphql';
const AT = { id: STORY.repoId, installation: STORY.installation, owner: STORY.owner, name: STORY.name };
const OTHER = 'cd'.repeat(20);
const unavailable = { code: 'githubUnavailable' };

const suite = (...runs: object[]) => ({ checkRuns: { nodes: runs } });
const run = (databaseId: number | null, status = 'IN_PROGRESS', conclusion: string | null = null) => ({
  databaseId,
  resourcePath: `/octo/hello/runs/${databaseId ?? ''}`,
  status,
  conclusion,
});
const reviewers = (...all: (object | null)[]) => ({
  totalCount: all.length,
  nodes: all.map((requestedReviewer) => ({ requestedReviewer })),
});
const pull = (number: number, suites: object[] | null = [], change: object = {}) => ({
  number,
  title: 'Update the README',
  createdAt: '2026-05-04T12:00:00Z',
  updatedAt: '2026-05-04T12:30:00Z',
  headRefOid: STORY.head,
  baseRefName: 'master',
  baseRefOid: STORY.baseSha,
  author: {
    __typename: 'User',
    login: 'Codertocat',
    avatarUrl: 'https://avatars.example/c',
    databaseId: 21031067,
  },
  reviewRequests: reviewers(),
  commits: { nodes: [{ commit: { oid: STORY.head, checkSuites: suites && { nodes: suites } } }] },
  ...change,
});
const page = (nodes: unknown[] | null, next: string | null = null, change: object = {}) => ({
  status: 200,
  body: {
    data: {
      repository: {
        databaseId: STORY.repoId,
        name: STORY.name,
        owner: { login: STORY.owner, databaseId: STORY.ownerId },
        pullRequests: { nodes, pageInfo: { hasNextPage: next !== null, endCursor: next } },
        ...change,
      },
    },
  },
});
const refused = (type: string, message = 'No') => ({
  status: 200,
  body: { data: { repository: null }, errors: [{ type, message }] },
});

const REFUSAL = 'Resource not accessible by integration';
/** The answer to a query that takes GitHub too much: 200, with a null for what it left out. */
const tooLarge = () => {
  const { status, body } = page([pull(2), null]);
  const path = ['repository', 'pullRequests', 'nodes', 1];
  const errors = [
    { type: 'RESOURCE_LIMITS_EXCEEDED', message: 'Resource limits for this query exceeded.', path },
  ];
  return { status, body: { ...(body as object), errors } as Json };
};

function read(...answers: { status: number; body: Json }[]) {
  github.answers('POST', TOKENS, reply.token);
  const left = [...answers];
  github.expects('POST', GRAPHQL, () => left.shift() ?? { status: 500 }, answers.length);
  return createOpenHeads(testApp().app, APP.appId).read(AT);
}

describe('the query of a repository’s open heads', () => {
  it('is valid in GitHub’s published schema', () => expect(validate(OPEN_HEADS)).toEqual([]));

  it('names every kind of reviewer that GitHub has', () => {
    const [, kinds = ''] = /^union RequestedReviewer = (.+)$/m.exec(schema.idl) ?? [];
    const [, asked = ''] = /requestedReviewer \{(.+)\}/.exec(OPEN_HEADS) ?? [];
    const missing = kinds.split(' | ').filter((kind) => !asked.includes(`... on ${kind} {`));
    expect([kinds.includes('User'), missing]).toEqual([true, []]);
  });

  it('reads each pull request as the REST API shows it, and the newest of its head’s runs', async () => {
    const author = { __typename: 'Bot', login: 'dependabot', avatarUrl: '', databaseId: 49699333 };
    const bot = { author, headRefOid: OTHER };
    const long = { ...run(28_000_000_009, 'COMPLETED', 'SUCCESS'), databaseId: null };
    const asked = { reviewRequests: reviewers({ databaseId: 5346 }) };
    const commits = { nodes: [{ commit: { oid: OTHER, checkSuites: { nodes: [] } } }] };
    const found = await read(
      page([pull(2, [suite(run(7)), suite(long), suite()], asked)], 'next'),
      page([pull(1, [], { ...bot, commits })]),
    );
    github.expects('GET', PULLS, reply.pulls());
    const [listed] = (await createPullRequests(testApp().app).listOpen(AT)) ?? [];
    const { title: _title, createdAt: _createdAt, headBranch: _display, ...same } = listed ?? {};
    expect(found?.pulls).toMatchObject([
      { ...same, author: { id: 21031067, isMachine: false }, updatedAt: new Date('2026-05-04T12:30:00Z') },
      { number: 1, author: { id: 49699333, login: 'dependabot[bot]', isMachine: true }, head: OTHER },
    ]);
    expect([...(found?.runs ?? [])]).toEqual([
      [STORY.head, { id: 28_000_000_009, status: 'completed', conclusion: 'success' }],
      [OTHER, null],
    ]);
    expect(github.requests('POST', GRAPHQL).map(({ body }) => (body as Json).variables)).toMatchObject([
      { owner: STORY.owner, name: STORY.name, app: APP.appId, check: 'OTP Guard', first: 100, after: null },
      { after: 'next' },
    ]);
  });

  it.each<[string, object | null, object | null]>([
    [
      'people and teams',
      reviewers({ databaseId: 11 }, { slug: 'security' }),
      { people: [11], teams: ['security'] },
    ],
    ['more than it shows', { ...reviewers({ databaseId: 11 }), totalCount: 2 }, null],
    ['a reviewer of a kind that the query doesn’t name', reviewers({}), null],
    ['none that it may show', null, null],
  ])(
    'has the requested reviewers, or says nothing about them, if GitHub has %s',
    async (_what, shown, all) => {
      const found = await read(page([pull(2, [], { reviewRequests: shown })]));
      expect(found?.pulls[0]?.reviewers).toEqual(all);
    },
  );

  it('is whole but for reviewers that the App may not see', async () => {
    const { status, body } = page([pull(2, [suite(run(7))], { reviewRequests: reviewers(null) })]);
    const path = [
      'repository',
      'pullRequests',
      'nodes',
      0,
      'reviewRequests',
      'nodes',
      0,
      'requestedReviewer',
    ];
    const errors = [{ type: 'FORBIDDEN', message: REFUSAL, path }];
    const found = await read({ status, body: { ...(body as object), errors } as Json });
    expect(found?.pulls[0]?.reviewers).toBeNull();
    expect([...(found?.runs ?? [])]).toEqual([
      [STORY.head, { id: 7, status: 'in_progress', conclusion: null }],
    ]);
    const other = [...errors, { type: 'FORBIDDEN', message: REFUSAL, path: path.slice(0, 2) }];
    await expect(
      read({ status, body: { ...(body as object), errors: other } as Json }),
    ).rejects.toMatchObject({ code: 'permissionMissing' });
  });

  const inPrivate = (nodes: unknown[], ...path: unknown[]) => {
    const { status, body } = page(nodes);
    const errors = [
      { type: 'FORBIDDEN', message: REFUSAL, path: ['repository', 'pullRequests', 'nodes', 0, ...path] },
    ];
    return { status, body: { ...(body as object), errors } as Json };
  };

  it.each([
    ['the commit', { nodes: [null] }, ['nodes', 0, 'commit']],
    ['all commits', null, []],
  ])(
    'has the pull requests of a private repository, without runs, if GitHub hides %s',
    async (_what, commits, path) => {
      const found = await read(inPrivate([pull(2, [], { commits })], 'commits', ...path));
      expect([found?.pulls.map(({ number }) => number), found?.runs.size]).toEqual([[2], 0]);
    },
  );

  it('is refused for want of a permission, and not asked again, if GitHub hides the pull requests with the commits', async () => {
    await expect(read(inPrivate([null], 'commits'))).rejects.toMatchObject({ code: 'permissionMissing' });
    expect(github.requests('POST', GRAPHQL)).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['GitHub shows no suites', pull(2, null)],
    ['GitHub does not say which run it is', pull(2, [suite(run(null))])],
    ['the last commit is another one', pull(2, [suite(run(7))], { headRefOid: OTHER })],
  ])('says nothing about a head if %s', async (_what, shown) => {
    expect((await read(page([shown])))?.runs.size).toBe(0);
  });

  it.each([
    ['the installation cannot see the repository', refused('NOT_FOUND')],
    ['another repository has its name', page([], null, { databaseId: 1 })],
  ])('finds nothing if %s', async (_what, answer) => {
    expect(await read(answer)).toBeNull();
  });

  it.each([
    ['a rate limit', refused('RATE_LIMITED')],
    ['an IP allow list', refused('FORBIDDEN', 'The organization has an IP allow list enabled')],
    ['a failure', { status: 403, body: { message: 'No' } }],
  ])('is an error, and no list, after %s', async (_what, answer) => {
    await expect(read(answer)).rejects.toMatchObject(unavailable);
  });

  it('is an error if GitHub leaves a pull request out of the smallest page, too', async () => {
    const left = page([pull(2), null]);
    await expect(read(left, left, left)).rejects.toThrow('left out');
  });

  it('asks for smaller pages after GitHub gave up, and for large ones again two hours later', async () => {
    github.answers('POST', TOKENS, reply.token);
    let most = 10;
    const sizeOf = ({ body }: Sent) => (body as Json).variables.first as number;
    const many = page(Array.from({ length: 15 }, (_, at) => pull(at + 1, [])));
    const failures = [
      page([null], null),
      tooLarge(),
      { status: 502 },
      refused('', 'Something went wrong while executing your query. This may be the result of a timeout.'),
    ];
    github.answers('POST', GRAPHQL, (sent) =>
      sizeOf(sent) > most ? (failures.shift() ?? { status: 502 }) : many,
    );
    const clock = new FakeClock();
    const heads = createOpenHeads(testApp().app, APP.appId, clock);
    const sizes = async () => {
      const before = github.requests('POST', GRAPHQL).length;
      await heads.read(AT).catch((error) => expect(error).toMatchObject(unavailable));
      return github.requests('POST', GRAPHQL).slice(before).map(sizeOf);
    };
    expect([await sizes(), await sizes()]).toEqual([[100, 30, 10], [10]]);
    clock.pass(2 * 60 * 60_000);
    expect([await sizes(), await sizes()]).toEqual([[100, 30, 10], [10]]);
    clock.pass(2 * 60 * 60_000 - 1);
    expect(await sizes()).toEqual([10]);
    clock.pass(1);
    most = 0;
    expect([await sizes(), await sizes()]).toEqual([[100, 30, 10], [10]]);
  });

  it('goes to the GraphQL address of an Enterprise Server, and takes no turn of a write', async () => {
    const apiUrl = 'https://github.example.org/api/v3';
    const server = nock('https://github.example.org');
    server.post(`/api/v3${TOKENS}`).reply(201, reply.token.body as Json);
    server.post('/api/graphql').reply(200, page([]).body as Json);
    const none = { perMinute: 0, perHour: 0 };
    const writes = {
      most: { takeAway: none, approval: none, completion: none, other: none },
      patienceMs: 10,
    };
    const app = createGitHubApp({ ...APP, apiUrl }, { log: pino({ level: 'silent' }), writes });
    expect((await createOpenHeads(app, APP.appId).read(AT))?.pulls).toEqual([]);
  });
});

it('asks for the pull requests that changed last with the tag of the last answer', async () => {
  github.answers('POST', TOKENS, reply.token);
  const tags: unknown[] = [];
  nock('https://api.github.com')
    .get(PULLS)
    .query({ state: 'open', sort: 'updated', direction: 'desc', per_page: '100' })
    .times(2)
    .reply(function () {
      tags.push(this.req.headers['if-none-match']);
      return tags.length === 1 ? [200, githubFixture('pulls'), { etag: '"a"' }] : [304, ''];
    });
  const pulls = createPullRequests(testApp().app);
  const first = await pulls.listRecentlyUpdated(AT);
  expect(first).toMatchObject([{ number: STORY.pr, updatedAt: new Date('2019-05-15T15:20:33Z') }]);
  expect([await pulls.listRecentlyUpdated(AT), tags]).toEqual([first, [undefined, '"a"']]);
});

import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createPullChanges } from '../../src/adapters/github/pull-changes.ts';
import { type GitHubPullRequest, toPullRequest } from '../../src/adapters/github/pull-request-payload.ts';
import { createHeadCommits } from '../../src/adapters/github/pull-requests.ts';
import { MOST_PATCH_CHARACTERS } from '../../src/approvals/approve/file-marks.ts';
import { githubFixture, type Json } from '../support/fixtures.ts';
import { type Answer, GITHUB_API, nockGitHub, type Sent } from '../support/nock-github.ts';
import { PULLS, reply, REF as repo, STORY, TOKENS, testApp } from './bot.ts';

const github = nockGitHub();
const pull = toPullRequest(githubFixture('pull-request') as GitHubPullRequest);
const OTHER = 'cd'.repeat(20);
const unavailable = { code: 'githubUnavailable' };

const [mona, hubot] = [
  { id: 2, login: 'mona', type: 'User' },
  { id: 3, login: 'hubot', type: 'User' },
];
const webFlow = { id: 19864447, login: 'web-flow', type: 'User' };
const dependabot = { id: 49699333, login: 'dependabot[bot]', type: 'Bot' };

const file = (filename: string, change: object = {}, ref = STORY.head) => ({
  filename,
  status: 'modified',
  contents_url: `${GITHUB_API}/repos/x/y/contents/${encodeURIComponent(filename)}?ref=${ref}`,
  ...change,
});
/** A commit with an address that names another person. */
const commit = (author: object | null = mona, committer: object | null = author, verified = true) => ({
  sha: STORY.head,
  author,
  committer,
  commit: {
    author: { email: 'octocat@example.org' },
    committer: { name: 'GitHub' },
    verification: { verified },
    message: 'Say hi',
  },
});
const other = { ...commit(), sha: OTHER };
const files = Array.from({ length: 3000 }, (_, at) => file(`a/${at}`));
const commits = [...Array.from({ length: 249 }, () => other), commit()];

/** GitHub's answer with a tag, and 304 to a request with it. */
function tagged({ ifNoneMatch }: Sent, body: unknown, headers: Record<string, string> = {}) {
  const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('hex')}"`;
  return ifNoneMatch === etag ? { status: 304 } : { status: 200, body, headers: { ...headers, etag } };
}

/** One page of a list. GitHub has no `next` on the last one. */
const listed = (items: unknown[]) => (sent: Sent) => {
  const page = Number(sent.query.get('page'));
  const next = page * 100 < items.length ? { link: `<${GITHUB_API}/x?page=${page + 1}>; rel="next"` } : {};
  return tagged(sent, items.slice((page - 1) * 100, page * 100), next);
};

/** The pull request as GitHub shows it after the lists were read. */
const shown = (changed_files: number, count = 0, change: (raw: Json) => void = () => {}) => {
  const body = githubFixture('pull-request', (raw) => {
    Object.assign(raw, { changed_files, commits: count });
    change(raw);
  });
  return (sent: Sent) => tagged(sent, body);
};
const moveHead = ({ head }: Json) => Object.assign(head, { sha: OTHER });

const FILES = `${PULLS}/2/files`;
const COMMITS = `${PULLS}/2/commits`;

beforeEach(() => github.answers('POST', TOKENS, reply.token));

function readFiles(answer: Answer, after: Answer) {
  github.answers('GET', FILES, answer);
  github.answers('GET', `${PULLS}/2`, after);
  return createPullChanges(testApp().app).files(repo, pull);
}

function readCommits(all: unknown[], after: Answer) {
  github.answers('GET', COMMITS, listed(all));
  github.answers('GET', `${PULLS}/2`, after);
  return createPullChanges(testApp().app).commits(repo, pull);
}

describe('the changed files of a pull request', () => {
  const two = [
    file('docs/new.md', { status: 'renamed', previous_filename: 'secret/old.md' }),
    file('gone.md', { status: 'removed' }, OTHER),
  ];

  it('have the old and the new path of a renamed one', async () => {
    expect(await readFiles(listed(two), shown(2))).toEqual({
      paths: ['secret/old.md', 'docs/new.md', 'gone.md'],
      isComplete: true,
    });
  });

  it.each<[string, unknown[], Answer]>([
    ['GitHub counts more', two, shown(3)],
    ['GitHub lists as many as it lists at most', files, shown(3000)],
    ['the pull request has another head afterwards', two, shown(2, 0, moveHead)],
    ['it has another base branch', two, shown(2, 0, ({ base }) => Object.assign(base, { ref: 'other' }))],
    ['another repository has the name', two, shown(2, 0, ({ base }) => Object.assign(base.repo, { id: 1 }))],
    ['a file is of a push in between', [file('a'), file('b', {}, OTHER)], shown(2)],
    ['the pull request is gone', two, { status: 404, body: {} }],
  ])('are incomplete if %s', async (_what, all, after) => {
    const { paths, isComplete } = await readFiles(listed(all), after);
    expect([isComplete, paths.length > 0]).toEqual([false, true]);
  });

  it.each([403, 422])('are unknown, not an error, if GitHub answers %d', async (status) => {
    const found = await readFiles(
      { status, body: { message: 'Resource not accessible by integration' } },
      shown(0),
    );
    expect(found).toEqual({ paths: [], isComplete: false });
  });
});

describe('the list of files for a page', () => {
  const submodule = '@@ -1 +1 @@\n-Subproject commit aa11\n+Subproject commit bb22'.replace(
    /(aa|bb)../g,
    (hex) => hex.repeat(10),
  );
  const three = [
    file('lib', { patch: submodule, sha: OTHER, additions: 1, deletions: 1 }),
    file('logo.png', { status: 'added', sha: OTHER, additions: 0, deletions: 0 }),
    file('b.ts', { status: 'renamed', previous_filename: 'a.ts', sha: OTHER, additions: 0, deletions: 0 }),
  ];
  const list = async (all: unknown[], most: 'first' | 'all') => {
    github.answers('GET', FILES, listed(all));
    return createPullChanges(testApp().app).list(repo, pull.number, most);
  };
  const size = (files: number) => ({ head: pull.head, size: { files, additions: 0, deletions: 0 } });

  it('tells submodules and what GitHub doesn’t show from text, and where a file was before', async () => {
    const found = await list(three, 'first');
    expect(found?.files.map(({ path, previousPath, kind }) => [path, previousPath, kind])).toEqual([
      ['lib', null, 'submodule'],
      ['logo.png', null, 'unshown'],
      ['b.ts', 'a.ts', 'text'],
    ]);
    expect([found?.isOf(size(3)), found?.isOf(size(4)), found?.isOf({ ...size(3), head: OTHER })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('has the beginning of each patch, without the carriage returns of Windows', async () => {
    const added = (count: number) => ['@@ -0,0 +1 @@', ...Array.from({ length: count }, (_, at) => `+${at}`)];
    const [whole, long] = [`+${'x'.repeat(199)}`, `+${'x'.repeat(200)}`];
    const cases: [raw: string, text: string, isCut: boolean][] = [
      ['@@ -1 +1 @@\r\n-a\r\n+b\rc', '@@ -1 +1 @@\n-a\n+b\rc', false],
      [added(39).join('\n'), added(39).join('\n'), false],
      [added(40).join('\n'), added(39).join('\n'), true],
      [`${whole}\n${long}`, `${whole}\n${whole}…`, true],
    ];
    const found = await list(
      [file('logo.png'), ...cases.map(([patch], at) => file(`${at}`, { patch }))],
      'first',
    );
    expect(found?.files.map(({ patch }) => patch)).toEqual([
      null,
      ...cases.map(([, text, isCut]) => ({ text, isCut, isHiding: false })),
    ]);
  });

  it.each([
    ['reorders it, in a line that isn’t shown', `${'\n+a'.repeat(60)}\n+a\u202eb`, true],
    ['is after the part of a line that is shown', `\n+${'a'.repeat(300)}\u2066b`, true],
    ['writes with tags', '\n+a\u{e0072}\u{e006d}\u{e0020}', true],
    ['writes with variation selectors', '\n+a\ufe00\u{e0101}\u{e0102}', true],
    ['writes with zero widths', '\n+a\u200b\u200c\u200b', true],
    [
      'is a tab, an emoji or a joiner',
      '\n+\ta \u26a0\ufe0f \u2764\ufe0f\u200d\ud83d\udd25 \u0645\u200c',
      false,
    ],
  ])('tells patches that hide something from others: text that %s', async (_what, text, isHiding) => {
    const found = await list([file('a', { patch: `@@ -0,0 +1 @@${text}` })], 'first');
    expect(found?.files[0]?.patch?.isHiding).toBe(isHiding);
  });

  it('has no more patches of 100 files than a page shows, however long they are', async () => {
    const patch = Array.from({ length: 50 }, () => `+${'x'.repeat(1_000)}`).join('\n');
    const hundred = Array.from({ length: 100 }, (_, at) => file(`a/${at}`, { patch }));
    const found = await list(hundred, 'first');
    expect(JSON.stringify(found?.files).length).toBeLessThan(MOST_PATCH_CHARACTERS + 100 * 400);
    expect(found?.files.map((one) => one.patch?.isCut)).toEqual(hundred.map(() => true));
    expect(found?.files[0]?.patch?.text).not.toBe('');
  });

  it('takes one request, or one for each hundred', async () => {
    const first = await list(files.slice(0, 250), 'first');
    expect([first?.files.length, first?.isOf(size(250))]).toEqual([100, false]);
    const all = await list(files.slice(0, 250), 'all');
    expect([all?.files.length, all?.isOf(size(250))]).toEqual([250, true]);
    expect((await list(files, 'all'))?.isOf(size(3000))).toBe(false);
  });
});

describe('the accounts that asked for a pull request', () => {
  const person = ({ id, login, type }: typeof mona) => ({ id, login, isMachine: type === 'Bot' });
  const read = (change: object, after: Answer = shown(0, 0, (raw) => Object.assign(raw, change))) => {
    github.answers('GET', `${PULLS}/2`, after);
    return createPullChanges(testApp().app).requesters(repo, pull);
  };
  const body = 'Requested by: @Mona\n';

  it('are its assignees, machines too', async () => {
    const found = await read({ assignees: [mona, dependabot], body: null });
    expect(found).toEqual({ people: [mona, dependabot].map(person), areAllKnown: true });
  });

  it('are those whom its text names, by the ids that GitHub has for their logins', async () => {
    github.answers('GET', '/users/mona', (sent: Sent) => tagged(sent, mona));
    const changes = createPullChanges(testApp().app);
    github.answers(
      'GET',
      `${PULLS}/2`,
      shown(0, 0, (raw) => Object.assign(raw, { assignees: [hubot], body })),
    );
    const wanted = { people: [hubot, mona].map(person), areAllKnown: true };
    expect([await changes.requesters(repo, pull), await changes.requesters(repo, pull)]).toEqual([
      wanted,
      wanted,
    ]);
  });

  it.each<[string, object, Answer]>([
    ['GitHub knows no such login', { assignees: [], body }, { status: 404, body: {} }],
    [
      'it’s an organization’s',
      { assignees: [], body },
      { status: 200, body: { ...mona, type: 'Organization' } },
    ],
    ['its text names a person without a login', { assignees: [], body: 'Requested by: Mona' }, reply.noRuns],
    ['GitHub leaves out the assignees', { assignees: undefined, body: '' }, reply.noRuns],
    [
      'another repository has the name now',
      { assignees: [], base: { ref: 'main', repo: { id: 1 } } },
      reply.noRuns,
    ],
  ])('aren’t all known if %s', async (_why, change, account) => {
    if (account !== reply.noRuns) github.answers('GET', '/users/mona', account);
    expect(await read(change)).toEqual({ people: [], areAllKnown: false });
  });

  it('aren’t known if GitHub doesn’t show the pull request', async () => {
    expect(await read({}, { status: 404, body: {} })).toEqual({ people: [], areAllKnown: false });
  });

  it('fail in an outage', async () => {
    await expect(read({}, { status: 502, body: {} })).rejects.toMatchObject(unavailable);
  });
});

describe('the accounts whose reviews approve a pull request', () => {
  const review = (user: object | null, state = 'APPROVED') => ({ user, state });
  const read = (reviews: unknown[]) => {
    github.answers('GET', `${PULLS}/2/reviews`, listed(reviews));
    return createPullChanges(testApp().app).approvers(repo, pull);
  };
  const comments = (count: number) => Array.from({ length: count }, () => review(mona, 'COMMENTED'));
  const bot = { id: dependabot.id, login: dependabot.login, isMachine: true };

  it('are those that approve, on any page, and no others', async () => {
    const reviews = [review(hubot, 'CHANGES_REQUESTED'), ...comments(150), review(dependabot)];
    expect(await read(reviews)).toEqual({ people: [bot], areAllKnown: true });
  });

  it('are none among comments, even if these fill a page', async () => {
    expect(await read(comments(100))).toEqual({ people: [], areAllKnown: true });
  });

  it.each([
    ['an account no longer exists', [review(dependabot), review(null)]],
    ['there are more reviews than OTP Guard reads', [review(dependabot), ...comments(999)]],
  ])('aren’t all known if %s', async (_why, reviews) => {
    expect(await read(reviews)).toEqual({ people: [bot], areAllKnown: false });
  });
});

describe('the commits of a pull request', () => {
  const person = ({ id, login, type }: typeof mona) => ({ id, login, isMachine: type === 'Bot' });

  it('name each author and committer once, and say who is a machine', async () => {
    const two = [{ ...commit(mona, dependabot), sha: OTHER }, commit(hubot, mona)];
    const said = [
      { name: '', email: 'octocat@example.org' },
      { name: 'GitHub', email: null },
    ];
    expect(await readCommits(two, shown(0, 2))).toEqual({
      people: [mona, dependabot, hubot].map(person),
      areAllKnown: true,
      areAllVerified: true,
      commits: [
        { by: [{ login: 'mona' }, { login: 'dependabot[bot]' }, ...said], trailers: [], isComplete: true },
        { by: [{ login: 'hubot' }, { login: 'mona' }, ...said], trailers: [], isComplete: true },
      ],
      isComplete: true,
    });
  });

  it.each<[string, object, known: boolean, verified: boolean]>([
    ['is committed and signed by GitHub', commit(mona, webFlow), true, true],
    ['claims that GitHub committed it', commit(mona, webFlow, false), false, false],
    ['claims that GitHub wrote it', commit(webFlow, mona), false, true],
    ['has an author without an account', commit(null, mona), false, true],
    ['has an empty committer', commit(mona, {}), false, true],
    ['isn’t signed', commit(mona, mona, false), true, false],
    ['has no word about a signature', { ...commit(), commit: {} }, true, false],
  ])('are judged by their accounts if one %s', async (_what, one, areAllKnown, areAllVerified) => {
    const expected = { people: [person(mona)], areAllKnown, areAllVerified, isComplete: true };
    expect(await readCommits([one], shown(0, 1))).toMatchObject(expected);
  });

  it('have the trailers of each message, and without a message nobody knows them', async () => {
    const message = 'Say hi\n\nCo-authored-by: Mona <2+mona@users.noreply.github.com>\n';
    const all = [
      { ...other, commit: { message } },
      { ...commit(), commit: {} },
    ];
    const trailer = { token: 'co-authored-by', name: 'Mona', email: '2+mona@users.noreply.github.com' };
    expect((await readCommits(all, shown(0, 2))).commits).toMatchObject([
      { trailers: [trailer], isComplete: true },
      { trailers: [], isComplete: false },
    ]);
  });

  it.each<[string, unknown[], Answer]>([
    ['GitHub counts more', [commit()], shown(0, 2)],
    ['the head isn’t among them', [other], shown(0, 1)],
    ['GitHub lists as many as it lists at most', commits, shown(0, 250)],
    ['the head is another one afterwards', [commit()], shown(0, 1, moveHead)],
    ['there are none', [], shown(0)],
  ])('are incomplete if %s', async (_what, all, after) => {
    expect((await readCommits(all, after)).isComplete).toBe(false);
  });
});

describe('the head commit of a pull request, as GitHub shows it to a person', () => {
  const { owner, name, pr, head } = STORY;
  const said = { ...commit(), commit: { message: 'Say hi', tree: { sha: OTHER } } };
  let all: unknown[] = [];
  let status = 200;
  /** GitHub names the last page on each page but that one. */
  const page = ({ query }: Sent) => {
    const [at, last] = [Number(query.get('page')), Math.ceil(all.length / 100)];
    const link = { link: `<${GITHUB_API}/x?per_page=100&page=${last}>; rel="last"` };
    return { status, body: all.slice((at - 1) * 100, at * 100), ...(at < last && { headers: link }) };
  };
  const read = () => createHeadCommits(testApp().app).read('ghu_mona', { owner, repo: name, pr, head });

  beforeEach(() => {
    status = 200;
    github.answers('GET', COMMITS, page);
  });

  it.each([
    ['one page', [said], ['1']],
    ['the last of three pages', [...Array.from({ length: 249 }, () => other), said], ['1', '3']],
  ])('is found on %s, with their own token', async (_where, listed, pages) => {
    all = listed;
    expect(await read()).toEqual({ commit: { message: 'Say hi', tree: OTHER } });
    const asked = github.sent.map(({ authorization, query }) => [authorization, query.get('page')]);
    expect(asked).toEqual(pages.map((at) => ['token ghu_mona', at]));
  });

  it('is nothing if GitHub hides the pull request or doesn’t list the head, and an error without an answer', async () => {
    all = [other];
    expect(await read()).toEqual({ commit: null });
    for (status of [401, 403, 404]) expect(await read()).toBeNull();
    status = 502;
    await expect(read()).rejects.toMatchObject(unavailable);
  });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { GitHubApp } from '../../src/adapters/github/app.ts';
import { createPullChanges } from '../../src/adapters/github/pull-changes.ts';
import { createPullRequests } from '../../src/adapters/github/pull-requests.ts';
import { productAt, world } from './one-world.ts';
import type { Json } from './world.ts';

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

describe('commits that are made through the git data API of the local GitHub', () => {
  const CLAUDE = { name: 'claude[bot]', email: '209825114+claude[bot]@users.noreply.github.com' };
  const COPILOT = { name: 'Copilot', email: '198982749+Copilot@users.noreply.github.com' };
  const STRANGER = { name: 'Comma, Jr.', email: 'who@example.com' };
  const get = async (path: string) => (await asAdmin('GET', `${HELLO}${path}`)).json;
  const tip = async (branch: string): Promise<string> => (await get(`/git/ref/heads/${branch}`)).object.sha;

  /** Makes a commit on `parent` that adds a file, and returns its hash. */
  async function commit(parent: string, file: string, values: object): Promise<string> {
    const base = (await get(`/git/commits/${parent}`)).tree.sha;
    const tree = [{ path: file, mode: '100644', type: 'blob', content: `${file}\n` }];
    const { json } = await asAdmin('POST', `${HELLO}/git/trees`, { base_tree: base, tree });
    const made = await asAdmin('POST', `${HELLO}/git/commits`, {
      tree: json.sha,
      parents: [parent],
      ...values,
    });
    return made.json.sha;
  }
  const push = (branch: string, sha: string) =>
    asAdmin('PATCH', `${HELLO}/git/refs/heads/${branch}`, { sha, force: true });
  const commitsOf = async (number: number) =>
    (await asApp(`${HELLO}/pulls/${number}/commits`)).json.map((one: Json) => [
      one.commit.message,
      one.commit.author.email,
      one.author && [one.author.login, one.author.id, one.author.type],
      one.committer?.login ?? null,
    ]);

  it('keep their people and message, also after a push by force with other files, and can be merged', async () => {
    const octocat = (await world.call('GET', '/users/octocat')).json;
    const person = { name: 'Old Name', email: `${octocat.id}+old-login@users.noreply.github.com` };
    const main = await tip('main');
    await asAdmin('POST', `${HELLO}/git/refs`, { ref: 'refs/heads/agents', sha: main });
    const message = 'Add one\n\nCo-authored-by: Mona Lisa <mona@example.org>\n';
    const first = await commit(main, 'one.md', { message, author: CLAUDE, committer: person });
    await push('agents', await commit(first, 'two.md', { message: 'Add two', author: STRANGER }));
    const opened = await asAdmin('POST', `${HELLO}/pulls`, {
      title: 'By agents',
      head: 'agents',
      base: 'main',
    });
    const { number } = opened.json;
    expect(await commitsOf(number)).toEqual([
      [message, CLAUDE.email, ['claude[bot]', 209_825_114, 'Bot'], 'octocat'],
      ['Add two', STRANGER.email, null, null],
    ]);
    const other = await commit(main, 'three.md', { message: 'Add three', author: COPILOT });
    expect((await push('agents', other)).status).toBe(200);
    const isPush = ({ payload }: { payload: Json }) =>
      payload.action === 'synchronize' && payload.after === other;
    expect((await world.webhook(isPush)).payload.pull_request.head.sha).toBe(other);
    const bot = ['copilot-swe-agent[bot]', 198_982_749, 'Bot'];
    expect(await commitsOf(number)).toEqual([['Add three', COPILOT.email, bot, bot[0]]]);
    expect((await get(`/pulls/${number}/files`)).map(({ filename }: Json) => filename)).toEqual(['three.md']);

    await asAdmin('PUT', `${HELLO}/pulls/${number}/update-branch`);
    const { head } = await get(`/pulls/${number}`);
    expect([await tip('agents'), (await commitsOf(number)).length]).toEqual([head.sha, 2]);
    const wrong = await asAdmin('PUT', `${HELLO}/pulls/${number}/update-branch`, {
      expected_head_sha: other,
    });
    expect(wrong.status).toBe(422);

    const file = { message: 'Add four', content: 'Zm91cgo=', branch: 'agents' };
    await asAdmin('PUT', `${HELLO}/contents/four.md`, file);
    const shown = await get(`/pulls/${number}`);
    expect([shown.head.sha, shown.commits]).toEqual([await tip('agents'), 3]);

    const token = await world.installationToken();
    const run = { name: 'OTP Guard', head_sha: shown.head.sha, status: 'completed', conclusion: 'success' };
    const merge = () => asAdmin('PUT', `${HELLO}/pulls/${number}/merge`, { sha: shown.head.sha });
    expect((await merge()).status).toBe(405);
    await world.call('POST', `${HELLO}/check-runs`, { token, body: run });
    const { status, json } = await merge();
    expect([status, json.merged, await tip('main')]).toEqual([200, true, json.sha]);
    const merged = await get(`/git/commits/${json.sha}`);
    expect(merged.parents.map(({ sha }: Json) => sha)).toEqual([main, shown.head.sha]);
    const closed = await world.webhook((one) => one.payload.pull_request?.merged === true);
    expect(closed.payload.pull_request).toMatchObject({ number, merge_commit_sha: json.sha });
    for (const name of ['three.md', 'four.md'])
      expect((await asAdmin('GET', `${HELLO}/contents/${name}`)).status).toBe(200);
    expect((await asAdmin('GET', `${HELLO}/contents/one.md`)).status).toBe(404);
  });

  it('are listed up to 250 of them, and all counted', async () => {
    const main = await get(`/git/commits/${await tip('main')}`);
    let parent = main.sha;
    for (let at = 1; at <= 251; at += 1) {
      const body = { message: `Step ${at}`, tree: main.tree.sha, parents: [parent] };
      parent = (await asAdmin('POST', `${HELLO}/git/commits`, body)).json.sha;
    }
    await asAdmin('POST', `${HELLO}/git/refs`, { ref: 'refs/heads/many', sha: parent });
    const many = { title: 'Many', head: 'many', base: 'main' };
    const { number } = (await asAdmin('POST', `${HELLO}/pulls`, many)).json;
    const pages = [1, 2, 3, 4].map((page) =>
      asApp(`${HELLO}/pulls/${number}/commits?per_page=100&page=${page}`),
    );
    const lengths = (await Promise.all(pages)).map(({ json }) => json.length);
    expect([lengths, (await get(`/pulls/${number}`)).commits]).toEqual([[100, 100, 50, 0], 251]);
  });
});

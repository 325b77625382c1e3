import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import type { LocalGitHub } from '../../demo/local-github.ts';
import { APP_KEY } from '../support/app-key.ts';
import { startLocalGitHub } from '../support/built.ts';
import { clientOf } from '../support/product.ts';
import { type Env, Running } from '../support/running.ts';
import { LONG_PATIENCE_MS, until } from '../support/until.ts';

// Each test waits for processes.
jest.setTimeout(180_000);

const NAME = 'other-org/world';
const PUBLIC_URL = 'http://localhost:3000';

let github: LocalGitHub;
beforeAll(async () => {
  github = await startLocalGitHub({ privateKey: APP_KEY, port: 0, publicUrl: PUBLIC_URL });
});
afterAll(() => github?.close());
const running: Running[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.clear();
});

function run(env: Env, ...args: string[]): Running {
  const token = { GITHUB_TOKEN: github.facts.adminToken };
  const program = resolve('scripts/acceptance.js');
  const started = new Running({ ...github.env, PUBLIC_URL, ...token, ...env }, { program, args });
  running.push(started);
  return started;
}

const asAdmin = <T>(...request: [method: string, path: string, body?: object]) =>
  clientOf({ origin: PUBLIC_URL, github }).asAdmin<T>(...request);

/** The names of the branches and of the open pull requests of the scratch repository. */
async function inScratch(): Promise<string[]> {
  const branches = await asAdmin<{ name: string }[]>('GET', `/repos/${NAME}/branches`);
  const pulls = await asAdmin<{ title: string }[]>('GET', `/repos/${NAME}/pulls`);
  return [...branches.map(({ name }) => name), ...pulls.map(({ title }) => title)];
}

const outcomesOf = ({ stdout }: Running) =>
  [...stdout.matchAll(/^\| ([a-z-]+) \|.*\| (same|differs|not tried) \|$/gm)].map(([, id, result]) => [
    id,
    result,
  ]);

it('sees what we assume at the local GitHub, cleans up, and writes a report without secrets', async () => {
  const { number } = await clientOf({ origin: PUBLIC_URL, github }).openPull(
    'Queued',
    'main',
    undefined,
    `/repos/${NAME}`,
  );
  await asAdmin('POST', `/_local/merge-queue/${NAME}`, { pull_number: number });
  const refused = run({}, NAME, '--yes');
  expect([await refused.ended(), refused.said]).toEqual([1, [expect.stringMatching(/open pull requests/)]]);
  await asAdmin('DELETE', `/_local/merge-queue/${NAME}`, { pull_number: number });
  await asAdmin('PATCH', `/repos/${NAME}/pulls/${number}`, { state: 'closed' });
  const before = await inScratch();

  const done = run({}, NAME, '--yes', '--rename');
  expect([await done.ended(), done.stderr]).toEqual([0, '']);
  const outcomes = outcomesOf(done);
  expect(outcomes.filter(([, result]) => result === 'not tried').map(([id]) => id)).toEqual([
    ...['selectable-on-page', 'reinstallation-details', 'query-without-contents', 'long-run-ids'],
    ...['details-url', 'sender-pushed', 'sign-in-after-sso'],
  ]);
  expect(outcomes.filter(([, result]) => result === 'same')).toHaveLength(16);
  expect(await inScratch()).toEqual(before);
  expect(done.stdout).toContain('| the merge is refused | the merge is refused | same |');
  expect(done.stdout).toMatch(/\n16 as assumed, 0 different, 7 not tried\.\n$/);
  for (const secret of [github.facts.adminToken, github.env.WEBHOOK_SECRET])
    expect(done.stdout).not.toContain(secret);
});

it.each<[says: RegExp, args: string[], env: Env]>([
  [/^Set the environment variable GITHUB_TOKEN\.$/, [NAME, '--yes'], { GITHUB_TOKEN: '' }],
  [/^This opens and merges .* of other-org\/world, and .* Run it again with --yes to /, [NAME], {}],
  [/^GITHUB_TOKEN doesn’t show .*: GitHub answered 404 /, ['other-org/none', '--yes'], {}],
])('exits with 1 and changes nothing: %s', async (says, args, env) => {
  const before = await inScratch();
  const refused = run(env, ...args);
  expect([await refused.ended(), refused.said, refused.stdout]).toEqual([
    1,
    [expect.stringMatching(says)],
    '',
  ]);
  expect(await inScratch()).toEqual(before);
});

it('names a difference, exits with 1 and cleans up; and cleans up after Ctrl-C', async () => {
  const before = await inScratch();
  let isHeld = false;
  let merges = 0;
  // A GitHub that counts an older run which completes after a newer one.
  const json = { 'content-type': 'application/json; charset=utf-8' };
  const proxy = createServer(async (req, res) => {
    const { method = 'GET', url = '' } = req;
    if (method === 'PUT' && url.endsWith('/merge')) {
      merges += 1;
      if (!isHeld) res.writeHead(200, json).end(JSON.stringify({ merged: true }));
      return;
    }
    const body = await text(req);
    const headers = Object.fromEntries(
      Object.entries(req.headers).filter(
        ([name]) => !['host', 'connection', 'content-length'].includes(name),
      ),
    ) as Record<string, string>;
    const answer = await fetch(`${github.origin}${url}`, { method, headers, ...(body && { body }) });
    res.writeHead(answer.status, json).end(await answer.text());
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  try {
    const { port } = proxy.address() as { port: number };
    const env = { GITHUB_API_URL: `http://127.0.0.1:${port}` };
    const other = run(env, NAME, '--yes');
    expect([await other.ended(), outcomesOf(other)]).toEqual([
      1,
      expect.arrayContaining([
        ['newest-run-counts', 'differs'],
        ['rerun-webhook', 'same'],
      ]),
    ]);
    expect(await inScratch()).toEqual(before);

    isHeld = true;
    const [seen, stopped] = [merges, run(env, NAME, '--yes')];
    await until('a merge that hangs', async () => merges > seen, LONG_PATIENCE_MS);
    stopped.child.kill('SIGINT');
    expect([await stopped.ended(), stopped.stdout]).toEqual([
      1,
      expect.stringContaining('\nThe script ended early: it was stopped.\n'),
    ]);
    expect(await inScratch()).toEqual(before);
  } finally {
    proxy.closeAllConnections();
    await new Promise((done) => proxy.close(done));
  }
});

import { describe, expect, it } from '@jest/globals';
import type { Fetch } from '../../../src/adapters/github/fetch.ts';
import { describeReading, parsePullRef } from '../../../src/cli/pull-status/describe.ts';
import { createPullReader, NotNow, type Reading } from '../../../src/cli/pull-status/read-pull.ts';
import { waitForEnd } from '../../../src/cli/pull-status/wait.ts';
import { UsageError } from '../../../src/cli/usage-error.ts';
import type { StatusBlock } from '../../../src/contract/status.ts';

const REF = { owner: 'octo-org', repo: 'hello', number: 7 };
const HEAD = 'ab'.repeat(20);
const APP = 314159;

const BLOCK: StatusBlock = {
  otpGuard: 1,
  state: 'waiting',
  head: HEAD,
  base: 'main',
  pulls: [{ number: 7, since: '2026-05-04T12:34:00.000Z' }],
  rules: [
    { name: 'main', met: false, missing: '1 approval from an owner' },
    { name: 'docs', met: true, missing: '' },
  ],
  denied: null,
  approval: 'https://guard.example.org/collect?pr=7',
  retryAfter: 60,
  note: 'Only a person can approve, in a browser.',
};
const textOf = (block: unknown) => `For programs:\n\n\`\`\`json\n${JSON.stringify(block)}\n\`\`\``;

const aRun = (change: object = {}) => ({
  id: 1,
  name: 'OTP Guard',
  head_sha: HEAD,
  status: 'in_progress',
  conclusion: null,
  details_url: 'https://guard.example.org/collect?pr=7&title=x',
  app: { id: APP },
  output: { text: textOf(BLOCK) },
  ...change,
});
const SUCCESS = { status: 'completed', conclusion: 'success' };

type Answer = { status: number; headers?: Record<string, string>; body?: object };

/** A GitHub that shows these runs; `refusal` answers instead. */
function fakeGitHub(runs: object[], refusal?: Answer) {
  const github = {
    runs,
    refusal,
    pull: { state: 'open', merged: false, head: { sha: HEAD } },
    asked: [] as { url: URL; headers: Headers; status: number }[],
  };
  const fetch: Fetch = async (address, init) => {
    const [url, headers] = [new URL(address), new Headers(init?.headers)];
    const body = url.pathname.includes('/pulls/') ? github.pull : { check_runs: github.runs };
    const etag = `"${Buffer.from(JSON.stringify(body)).toString('base64').slice(-40)}"`;
    const isKnown = headers.get('if-none-match') === etag;
    const answer = github.refusal ?? { status: isKnown ? 304 : 200, headers: { etag }, body };
    github.asked.push({ url, headers, status: answer.status });
    const text = answer.status === 304 ? null : JSON.stringify(answer.body ?? {});
    return new Response(text, answer);
  };
  const access = { fetch, apiUrl: 'https://api.github.test', token: 'ghp_secret', appId: APP };
  return { github, read: createPullReader(access, REF) };
}

describe('reading a pull request’s check from GitHub', () => {
  it('asks for the head’s runs of our App, and again only for what changed', async () => {
    const { github, read } = fakeGitHub([aRun()]);
    expect(await read()).toEqual({
      state: 'waiting',
      head: HEAD,
      pull: 'open',
      approval: BLOCK.approval,
      block: BLOCK,
    });
    expect(await read()).toMatchObject({ state: 'waiting', block: BLOCK });
    github.runs = [aRun({ ...SUCCESS, output: { text: textOf({ ...BLOCK, state: 'passed' }) } })];
    expect(await read()).toMatchObject({ state: 'passed', block: { state: 'passed' } });
    expect(github.asked.map(({ url }) => url.pathname).slice(0, 2)).toEqual([
      '/repos/octo-org/hello/pulls/7',
      `/repos/octo-org/hello/commits/${HEAD}/check-runs`,
    ]);
    expect(Object.fromEntries(github.asked[1]?.url.searchParams ?? [])).toMatchObject({
      check_name: 'OTP Guard',
      app_id: String(APP),
    });
    expect(github.asked.map(({ status }) => status)).toEqual([200, 200, 304, 304, 304, 200]);
    expect(github.asked.every(({ headers }) => headers.get('authorization') === 'Bearer ghp_secret')).toBe(
      true,
    );
  });

  it.each<[what: string, runs: object[], state: Reading['state']]>([
    ['no run', [], 'none'],
    ['another App’s success', [aRun({ ...SUCCESS, app: { id: 1 } })], 'none'],
    ['a success of no App', [aRun({ ...SUCCESS, app: null })], 'none'],
    ['another App’s newer success', [aRun(), aRun({ ...SUCCESS, id: 2, app: { id: 1 } })], 'waiting'],
    ['a success of another name', [aRun({ ...SUCCESS, name: 'OTP guard' })], 'none'],
    ['a success of another commit', [aRun({ ...SUCCESS, head_sha: 'cd'.repeat(20) })], 'none'],
    ['a newer run that waits', [aRun(SUCCESS), aRun({ id: 2 })], 'waiting'],
    ['a newer success', [aRun({ id: 2, ...SUCCESS }), aRun()], 'passed'],
    ['a run that is only about to pass', [aRun({ conclusion: 'success' })], 'waiting'],
    ['an action that is required', [aRun({ status: 'completed', conclusion: 'action_required' })], 'denied'],
    ['a failure', [aRun({ status: 'completed', conclusion: 'failure' })], 'denied'],
    ['a stale run', [aRun({ status: 'completed', conclusion: 'stale' })], 'waiting'],
    ['a cancelled run', [aRun({ status: 'completed', conclusion: 'cancelled' })], 'waiting'],
    ['a neutral run', [aRun({ status: 'completed', conclusion: 'neutral' })], 'waiting'],
  ])('%s', async (_what, runs, state) => {
    expect((await fakeGitHub(runs).read()).state).toBe(state);
  });

  it.each<[what: string, text: string | null]>([
    ['no text', null],
    ['a text without a block', 'Approved.'],
    ['no JSON', '```json\n{"otpGuard": 1\n```'],
    ['another version', textOf({ ...BLOCK, otpGuard: 2 })],
    ['a missing member', textOf({ ...BLOCK, rules: undefined })],
    ['a block that isn’t at the end', `${textOf(BLOCK)}\n\nMore.`],
    ['another state than the run’s', textOf({ ...BLOCK, state: 'passed' })],
    ['another head', textOf({ ...BLOCK, head: 'cd'.repeat(20) })],
  ])('goes by status and conclusion if the run has %s', async (_what, text) => {
    expect(await fakeGitHub([aRun({ output: { text } })]).read()).toMatchObject({
      state: 'waiting',
      block: null,
      approval: 'https://guard.example.org/collect?pr=7&title=x',
    });
  });

  it('takes a block with members that it does not know, and no page that is no web page', async () => {
    const text = textOf({ ...BLOCK, more: 1, approval: 'javascript:alert(1)' });
    expect(await fakeGitHub([aRun({ output: { text } })]).read()).toMatchObject({
      block: { otpGuard: 1 },
      approval: null,
    });
  });

  it.each<[what: string, refusal: Answer, waitMs: number | null]>([
    ['Retry-After', { status: 403, headers: { 'retry-after': '90' } }, 90_000],
    ['a limit without a time', { status: 429 }, 60_000],
    ['a server error', { status: 502 }, 0],
    ['an answer about something else', { status: 200, body: {} }, 0],
    ['a refused token', { status: 401 }, null],
    ['a forbidden repository', { status: 403 }, null],
    ['an unknown pull request', { status: 404 }, null],
  ])('says whether it may work later: %s', async (_what, refusal, waitMs) => {
    const error = await fakeGitHub([], refusal)
      .read()
      .catch((found: unknown) => found);
    expect(error).toBeInstanceOf(UsageError);
    expect(error instanceof NotNow ? error.waitMs : null).toBe(waitMs);
    expect(String(error)).not.toContain('ghp_secret');
  });

  it('waits for the hour’s end if the token’s requests are used up', async () => {
    const reset = Math.ceil(Date.now() / 1000) + 600;
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) };
    const error = await fakeGitHub([], { status: 403, headers })
      .read()
      .catch((found: unknown) => found);
    expect((error as NotNow).waitMs).toBeGreaterThan(590_000);
    expect((error as NotNow).waitMs).toBeLessThanOrEqual(601_000);
  });
});

const reading = (change: Partial<Reading> = {}): Reading => ({
  state: 'waiting',
  head: HEAD,
  pull: 'open',
  approval: null,
  block: null,
  ...change,
});

/** Reads these one after the other; the last one stays. Time only passes in pauses. */
function timed(readings: (Reading | Error)[], random = 0) {
  let now = 0;
  const pauses: number[] = [];
  const left = [...readings];
  const news: string[] = [];
  const deps = {
    read: async () => {
      const next = left.length > 1 ? left.shift() : left[0];
      if (next instanceof Error) throw next;
      return next as Reading;
    },
    sleep: async (ms: number) => {
      pauses.push(ms);
      now += ms;
    },
    elapsed: () => now,
    random: () => random,
  };
  const wait = (ms: number) => waitForEnd(deps, { ms, onNews: (text) => void news.push(text) });
  return { wait, pauses, news };
}

describe('waiting for a pull request’s check', () => {
  it.each([
    { state: 'passed' as const },
    { state: 'denied' as const },
    { pull: 'closed' as const },
    { pull: 'merged' as const },
  ])('ends with %j', async (end) => {
    const { wait, pauses } = timed([reading(), reading({ state: 'none' }), reading(end)]);
    expect(await wait(300_000)).toMatchObject(end);
    expect(pauses).toEqual([30_000, 30_000]);
  });

  it('pauses for 30 to 33 seconds, so that it ends within 35 seconds after an approval', async () => {
    const { wait, pauses } = timed([reading(), reading({ state: 'passed' })], 0.999);
    await wait(300_000);
    expect(pauses[0]).toBeGreaterThan(32_000);
    expect(pauses[0]).toBeLessThanOrEqual(33_000);
  });

  it('reads once without time, and once more at the end of 30 seconds', async () => {
    const once = timed([reading()]);
    expect([await once.wait(0), once.pauses]).toMatchObject([{ state: 'waiting' }, []]);
    const twice = timed([reading()], 0.9);
    await twice.wait(30_000);
    expect(twice.pauses).toEqual([30_000]);
  });

  it('has an end even if GitHub never answers', async () => {
    const { wait, pauses } = timed([reading(), new NotNow('GitHub can’t be reached.', 0)], 0.5);
    expect(await wait(300_000)).toMatchObject({ state: 'waiting' });
    expect(pauses.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(300_000);
    await expect(timed([new NotNow('GitHub answered 502.', 0)]).wait(60_000)).rejects.toThrow(
      'GitHub answered 502.',
    );
  });

  it('waits as long as GitHub asks, and gives up if that is too long', async () => {
    const limited = new NotNow('The limit is reached.', 90_000);
    const { wait, pauses, news } = timed([limited, reading({ state: 'passed' })]);
    expect(await wait(300_000)).toMatchObject({ state: 'passed' });
    expect([pauses, news]).toEqual([[90_000], ['The limit is reached. Trying again.']]);
    await expect(timed([limited]).wait(60_000)).rejects.toBe(limited);
  });

  it('ends immediately if GitHub refuses', async () => {
    const refused = new UsageError('GitHub refuses the token.');
    await expect(timed([reading(), refused]).wait(300_000)).rejects.toBe(refused);
  });

  it('follows a head that moves, and says so', async () => {
    const head = 'cd'.repeat(20);
    const { wait, news } = timed([reading(), reading({ head }), reading({ head, state: 'passed' })]);
    const found = await wait(300_000);
    expect(found).toMatchObject({ head, movedFrom: HEAD, state: 'passed' });
    expect(news).toEqual(['A new head came: cdcdcdcd.']);
    expect(describeReading(REF, found)).toEqual([
      'The head moved from abababab to cdcdcdcd.',
      'octo-org/hello#7 at cdcdcdcd passed.',
    ]);
  });
});

describe('what a person reads', () => {
  it.each<[Partial<Reading>, string[]]>([
    [
      { block: BLOCK, approval: BLOCK.approval },
      [
        'octo-org/hello#7 at abababab waits for a person’s approval.',
        'main: 1 approval from an owner',
        `A person approves in a browser: ${BLOCK.approval}`,
      ],
    ],
    [{ pull: 'closed' }, [expect.stringContaining('waits') as never, 'The pull request is closed.']],
    [
      { state: 'denied', block: { ...BLOCK, denied: { by: 'mona', reason: 'drops\u202E a table' } } },
      [
        'mona denied octo-org/hello#7 at abababab: drops\uFFFD a table',
        'A new commit waits for a new approval.',
      ],
    ],
    [{ state: 'denied' }, ['octo-org/hello#7 at abababab was denied.', expect.any(String) as never]],
    [{ state: 'none' }, [expect.stringContaining('has no check run') as never, expect.any(String) as never]],
  ])('%j', (change, lines) => {
    expect(describeReading(REF, reading(change))).toEqual(lines);
  });

  it('names a pull request as GitHub does', () => {
    expect(parsePullRef('octo-org/hello.js#7')).toEqual({ owner: 'octo-org', repo: 'hello.js', number: 7 });
    for (const wrong of ['', 'hello#7', 'a/b', 'a/b#0', 'a/b#x', 'a/../b#7', 'a/..#7', 'a/b#7?x', 'a b/c#7'])
      expect(() => parsePullRef(wrong)).toThrow('OWNER/REPO#NUMBER');
  });
});

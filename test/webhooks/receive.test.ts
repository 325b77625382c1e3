import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/app-error.ts';
import { type NockGitHub, startNockGitHub } from '../support/nock-github.ts';
import {
  APP,
  CHECK_RUNS,
  foresee,
  PULLS,
  RUNS_OF_HEAD,
  reply,
  signed,
  startBot,
  type TestBot,
  TOKENS,
} from './bot.ts';

let github: NockGitHub;
let bot: TestBot;

beforeEach(async () => {
  github = startNockGitHub();
  bot = await startBot();
});
afterEach(() => github.finish());

/** Well below the minute that GitHub's own limits take; far above what an answer takes here. */
const PROMPT_MS = 8_000;

const hmac = (secret: string, body: string, hash = 'sha256') =>
  createHmac(hash, secret).update(body).digest('hex');

describe('a webhook that is not GitHub’s', () => {
  const good = signed('pull_request.opened');
  it.each([
    ['with the signature of another secret', { signature: `sha256=${hmac('another', good.body)}` }],
    ['with the signature of another body', { body: `${good.body} ` }],
    ['with a SHA-1 signature', { signature: `sha1=${hmac(APP.webhookSecret, good.body, 'sha1')}` }],
    ['with a signature that is cut', { signature: good.signature.slice(0, -1) }],
    ['with the hash alone', { signature: good.signature.replace('sha256=', '') }],
    ['without a signature', { signature: '' }],
    ['without a delivery id', { id: '' }],
    ['with a delivery id that is none', { id: '"; drop' }],
    ['with an event that is none', { event: '../pull_request' }],
    ['without an event', { event: '' }],
    ['without a body', { body: '' }],
  ])('is refused %s', async (_what, change) => {
    expect(await bot.receive({ ...good, ...change })).toEqual({ outcome: 'refused' });
    expect([github.sent, bot.stage.calls]).toEqual([[], []]);
  });

  it('is worked on where all holds', async () => {
    foresee(github);
    github.expects('POST', CHECK_RUNS, reply.run);
    const received = await bot.receive(good);
    if (received.outcome === 'accepted') await received.work;
    expect(received.outcome).toBe('accepted');
  });
});

describe('a webhook that the product does not act on', () => {
  it.each([
    ['check_run.rerequested', 'completed'],
    ['repository.renamed', 'edited'],
    ['pull_request.opened', 'labeled'],
    ['merge_group.checks_requested', 'destroyed'],
  ])('is noted as done: %s as %s', async (fixture, action) => {
    expect(await bot.deliver(fixture, { change: (payload) => Object.assign(payload, { action }) })).toBe(
      'accepted',
    );
    expect(github.sent).toEqual([]);
    expect(bot.deliveries.worked.size).toBe(1);
    expect(bot.lines.join('')).not.toContain('webhook failed');
  });
});

describe('a webhook that cannot be worked through', () => {
  it('is not noted as done while GitHub answers 502; the redelivery does it', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', PULLS, reply.pulls());
    github.answers('GET', RUNS_OF_HEAD, reply.noRuns);
    let isDown = true;
    github.answers('POST', CHECK_RUNS, () => (isDown ? { status: 502, body: {} } : reply.run));
    expect(await bot.deliver('pull_request.opened', { id: 'one' })).toBe('accepted');
    expect(bot.deliveries.worked.size).toBe(0);
    expect(bot.lines.join('')).toContain('webhook failed');
    isDown = false;
    expect(await bot.deliver('pull_request.opened', { id: 'one' })).toBe('accepted');
    expect([...bot.deliveries.worked]).toEqual([['one', 'pull_request']]);
  });

  it('does not make a second run where the first was made though GitHub answered 502', async () => {
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', PULLS, reply.pulls());
    const made: unknown[] = [];
    github.answers('POST', CHECK_RUNS, ({ body }) => {
      made.push(body);
      return made.length === 1 ? { status: 502, body: {} } : reply.run;
    });
    github.answers('GET', RUNS_OF_HEAD, () => (made.length === 0 ? reply.noRuns : reply.runs));
    github.answers('PATCH', `${CHECK_RUNS}/128620228`, reply.updated);
    await bot.deliver('pull_request.opened', { id: 'one' });
    await bot.deliver('pull_request.opened', { id: 'one' });
    expect(bot.deliveries.worked.size).toBe(1);
    expect(made).toHaveLength(1);
  });

  it.each([
    ['the primary', { 'x-ratelimit-remaining': '0' }, 'API rate limit exceeded for installation ID 957387.'],
    ['a secondary', { 'retry-after': '60' }, 'You have exceeded a secondary rate limit.'],
  ])('does not wait for %s rate limit to end; the redelivery does it', async (_which, headers, message) => {
    github.answers('POST', TOKENS, reply.token);
    let isLimited = true;
    const reset = String(Math.floor(Date.now() / 1000) + 3000);
    github.answers('GET', PULLS, () =>
      isLimited
        ? { status: 403, body: { message }, headers: { 'x-ratelimit-reset': reset, ...headers } }
        : reply.pulls(),
    );
    github.expects('POST', CHECK_RUNS, reply.run);
    expect(await promptly(bot.deliver('pull_request.opened', { id: 'one' }))).toBe('accepted');
    expect(bot.deliveries.worked.size).toBe(0);
    isLimited = false;
    await bot.deliver('pull_request.opened', { id: 'one' });
    expect(bot.deliveries.worked.size).toBe(1);
  });

  it('is not noted as done where the record store fails, at any of its calls', async () => {
    foresee(github);
    github.answers('POST', CHECK_RUNS, reply.run);
    github.answers('PATCH', `${CHECK_RUNS}/128620228`, reply.updated);
    await bot.deliver('pull_request.opened');
    const calls = new Set(bot.stage.calls.filter((call) => !call.startsWith('deliveries.')));
    expect(calls.size).toBeGreaterThan(3);
    for (const call of calls) {
      const fresh = await startBot();
      fresh.stage.fail(call, new AppError('storeUnavailable'));
      await fresh.deliver('pull_request.opened', { id: 'one' });
      expect([call, fresh.deliveries.worked.size]).toEqual([call, 0]);
      await fresh.deliver('pull_request.opened', { id: 'one' });
      expect([call, fresh.deliveries.worked.size]).toEqual([call, 1]);
    }
  });

  it('does not bring the bot down where the payload is no JSON', async () => {
    const body = '{"action":';
    const signature = `sha256=${hmac(APP.webhookSecret, body)}`;
    const received = await bot.receive({ id: 'one', event: 'pull_request', signature, body });
    if (received.outcome === 'accepted') await received.work;
    expect(bot.deliveries.worked.size).toBe(0);
  });
});

describe('the log of a webhook', () => {
  it('holds no token of GitHub’s', async () => {
    foresee(github);
    github.answers('POST', CHECK_RUNS, { status: 500, body: {} });
    await bot.deliver('pull_request.opened');
    expect(bot.lines.join('')).toContain('webhook failed');
    expect(bot.lines.join('')).not.toContain(reply.token.body.token);
  });
});

async function promptly<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it waits')), PROMPT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

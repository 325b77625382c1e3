import { describe, expect, it } from '@jest/globals';
import type { RequestHandler } from 'express';
import { AppError } from '../../src/app-error.ts';
import { measured, metricsPage } from '../../src/http/metrics.ts';
import { createMetrics } from '../../src/metrics.ts';

const readings = {
  unreported: async () => 3,
  notices: async () => 2,
  sweep: async () => ({ at: 1_762_000_000, faults: 1 }),
};

const readingOf = (text: string, name: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    ?.split(' ')
    .at(-1);

describe('what a monitor reads', () => {
  it('is what is owed, what is to be sent and when the sweeper went round, as it is now', async () => {
    const metrics = createMetrics();
    let owed = 3;
    metrics.read({ ...readings, unreported: async () => owed });
    const first = await metrics.text();
    expect(readingOf(first, 'otp_guard_unreported_heads')).toBe('3');
    expect(readingOf(first, 'otp_guard_notices_waiting')).toBe('2');
    expect(readingOf(first, 'otp_guard_last_sweep_timestamp_seconds')).toBe('1762000000');
    expect(readingOf(first, 'otp_guard_last_sweep_faults')).toBe('1');
    owed = 0;
    expect(readingOf(await metrics.text(), 'otp_guard_unreported_heads')).toBe('0');
  });

  it('is no number where the record store does not say, and never an old one', async () => {
    const metrics = createMetrics();
    let isDown = false;
    const failing = async () => {
      if (isDown) throw new AppError('storeUnavailable');
      return 7;
    };
    metrics.read({ unreported: failing, notices: failing, sweep: async () => null });
    expect(readingOf(await metrics.text(), 'otp_guard_unreported_heads')).toBe('7');
    isDown = true;
    const text = await metrics.text();
    for (const name of ['unreported_heads', 'notices_waiting', 'last_sweep_timestamp_seconds'])
      expect([name, readingOf(text, `otp_guard_${name}`)]).toEqual([name, 'Nan']);
  });

  it('counts webhooks, GitHub’s answers and requests', async () => {
    const metrics = createMetrics();
    metrics.webhook('pull_request', 'done');
    metrics.webhook('pull_request', 'done');
    metrics.webhook('merge_group', 'failed');
    metrics.github(200);
    metrics.github(0);
    metrics.request({ route: '/healthz', method: 'GET', status: 200 }, 0.01);
    const text = await metrics.text();
    expect(text).toContain('otp_guard_webhooks_total{event="pull_request",outcome="done"} 2');
    expect(text).toContain('otp_guard_webhooks_total{event="merge_group",outcome="failed"} 1');
    expect(text).toContain('otp_guard_github_requests_total{status="0"} 1');
    expect(text).toContain(
      'otp_guard_http_request_duration_seconds_count{route="/healthz",method="GET",status="200"} 1',
    );
  });

  it('is of one product alone: two in one process do not meet', async () => {
    const [one, other] = [createMetrics(), createMetrics()];
    one.webhook('push', 'done');
    expect(await other.text()).not.toContain('event="push"');
  });
});

describe('the labels of a request', () => {
  const routeOf = (path: string) => {
    const seen: string[] = [];
    const finished: (() => void)[] = [];
    const response = { once: (_event: string, done: () => void) => finished.push(done), statusCode: 200 };
    const handler = measured({ request: ({ route }) => void seen.push(route) });
    void handler({ path, method: 'GET' } as never, response as never, () => undefined);
    for (const done of finished) done();
    return seen[0];
  };

  it.each([
    ['/healthz', '/healthz'],
    ['/metrics', '/metrics'],
    ['/api/github/webhooks', '/api/github/webhooks'],
    ['/organization-health', '/organization-health'],
    ['/api/collections/gh_users/records/abc123', '/api'],
    ['/api/collections/webauthn/records/mona@example.org', '/api'],
    ['/assets/index-Ab12.js', '/assets'],
    ['/org/octo-org', 'page'],
    ['/mona@example.org', 'page'],
    ['/constructor', 'page'],
    ['/__proto__', 'page'],
    ['/', 'page'],
  ])('hold nothing that a person chose: %s is %s', (path, route) => {
    expect(routeOf(path)).toBe(route);
  });
});

describe('the page of the metrics', () => {
  const page = metricsPage({
    token: 'sixteen-letters!',
    request: () => undefined,
    text: async () => 'the text',
    contentType: 'text/plain',
  });
  const ask = async (authorization?: string) => {
    const sent: string[] = [];
    const response = {
      set: () => response,
      send: (text: string) => void sent.push(text),
    };
    await (page as (...all: Parameters<RequestHandler>) => Promise<void>)(
      { get: () => authorization } as never,
      response as never,
      () => undefined,
    );
    return sent[0];
  };

  it('is for the bearer of the token', async () => {
    expect(await ask('Bearer sixteen-letters!')).toBe('the text');
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer sixteen-letters',
    'Bearer sixteen-letters!!',
    'sixteen-letters!',
    'Basic sixteen-letters!',
    'bearer SIXTEEN-LETTERS!',
  ])('is not there for anyone else: %p', async (authorization) => {
    await expect(ask(authorization)).rejects.toMatchObject({ code: 'notFound' });
  });
});

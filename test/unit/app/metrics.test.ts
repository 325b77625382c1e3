import { describe, expect, it } from '@jest/globals';
import type { RequestHandler } from 'express';
import { createMetrics } from '../../../src/app/metrics.ts';
import { answerMetrics, measureRequests } from '../../../src/http/metrics.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { codeOf } from '../../support/code-of.ts';

const readings = {
  unreported: async () => 3,
  notices: async () => 2,
  lastWebhook: async () => 1_761_000_000,
  silent: async () => 0,
  sweep: async () => ({ at: 1_762_000_000, faults: 1 }),
  lastBackup: async () => 1_763_000_000,
  dataBytes: async () => 5_000_000_000,
  backupBytes: async () => null,
  redis: async () => 0,
};

const readingOf = (text: string, name: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    ?.split(' ')
    .at(-1);

describe('the metrics', () => {
  it('show the current number of unreported heads and waiting notices, and the last reconciliation', async () => {
    const metrics = createMetrics();
    let unreported = 3;
    metrics.addReadings({ ...readings, unreported: async () => unreported });
    const first = await metrics.text();
    expect(readingOf(first, 'otp_guard_unreported_heads')).toBe('3');
    expect(readingOf(first, 'otp_guard_notices_waiting')).toBe('2');
    expect(readingOf(first, 'otp_guard_last_sweep_timestamp_seconds')).toBe('1762000000');
    expect(readingOf(first, 'otp_guard_last_sweep_faults')).toBe('1');
    expect(readingOf(first, 'otp_guard_last_webhook_timestamp_seconds')).toBe('1761000000');
    expect(readingOf(first, 'otp_guard_silent_installations')).toBe('0');
    expect(readingOf(first, 'otp_guard_last_backup_timestamp_seconds')).toBe('1763000000');
    expect(readingOf(first, 'otp_guard_data_free_bytes')).toBe('5000000000');
    expect(readingOf(first, 'otp_guard_backup_free_bytes')).toBe('Nan');
    expect(readingOf(first, 'otp_guard_redis_up')).toBe('0');
    unreported = 0;
    expect(readingOf(await metrics.text(), 'otp_guard_unreported_heads')).toBe('0');
  });

  it('take both values of a reconciliation from one reading, even if the first one ends meanwhile', async () => {
    const metrics = createMetrics();
    let reads = 0;
    const sweep = async () => {
      reads += 1;
      return reads === 1 ? { at: 1_762_000_000, faults: 0 } : null;
    };
    metrics.addReadings({ ...readings, sweep });
    const text = await metrics.text();
    expect(readingOf(text, 'otp_guard_last_sweep_timestamp_seconds')).toBe('1762000000');
    expect(readingOf(text, 'otp_guard_last_sweep_faults')).toBe('0');
  });

  it('show no number, and no outdated one, while the record store does not answer', async () => {
    const metrics = createMetrics();
    let isDown = false;
    const failing = async () => {
      if (isDown) throw new AppError('storeUnavailable');
      return 7;
    };
    const sweep = async () => ({ at: await failing(), faults: 0 });
    metrics.addReadings({ ...readings, unreported: failing, notices: failing, sweep });
    expect(readingOf(await metrics.text(), 'otp_guard_unreported_heads')).toBe('7');
    isDown = true;
    const text = await metrics.text();
    for (const name of ['unreported_heads', 'notices_waiting', 'last_sweep_timestamp_seconds'])
      expect([name, readingOf(text, `otp_guard_${name}`)]).toEqual([name, 'Nan']);
  });

  it('show 0 for what never happened, which an alert can compare, and no number for backups that are off', async () => {
    const metrics = createMetrics();
    metrics.addReadings({ ...readings, sweep: async () => null, lastBackup: async () => 0 });
    const never = await metrics.text();
    for (const name of ['last_sweep_timestamp_seconds', 'last_sweep_faults', 'last_backup_timestamp_seconds'])
      expect([name, readingOf(never, `otp_guard_${name}`)]).toEqual([name, '0']);
    const off = createMetrics();
    off.addReadings({ ...readings, lastBackup: async () => null });
    expect(readingOf(await off.text(), 'otp_guard_last_backup_timestamp_seconds')).toBe('Nan');
  });

  it('count webhooks, GitHub’s answers and requests', async () => {
    const metrics = createMetrics();
    metrics.webhook('pull_request', 'done');
    metrics.webhook('pull_request', 'done');
    metrics.webhook('merge_group', 'failed');
    metrics.github(200, 'Thu, 01 Jan 1970 00:00:00 GMT');
    metrics.github(0, null);
    metrics.request({ route: '/healthz', method: 'GET', status: 200 }, 0.01);
    const text = await metrics.text();
    expect(text).toContain('otp_guard_webhooks_total{event="pull_request",outcome="done"} 2');
    expect(text).toContain('otp_guard_webhooks_total{event="merge_group",outcome="failed"} 1');
    expect(text).toContain('otp_guard_github_requests_total{status="0"} 1');
    expect(Number(readingOf(text, 'otp_guard_clock_offset_seconds'))).toBeGreaterThan(1_700_000_000);
    expect(text).toContain(
      'otp_guard_http_request_duration_seconds_count{route="/healthz",method="GET",status="200"} 1',
    );
  });

  it('name the version that runs, in the form that dashboards expect', async () => {
    expect(await createMetrics().text()).toMatch(
      /^otp_guard_build_info\{version="\d+\.\d+\.\d+",commit="unknown"\} 1$/m,
    );
  });
});

describe('the labels of a request', () => {
  const routeOf = (path: string) => {
    const seen: string[] = [];
    const finished: (() => void)[] = [];
    const response = { once: (_event: string, done: () => void) => finished.push(done), statusCode: 200 };
    const handler = measureRequests({ request: ({ route }) => void seen.push(route) });
    void handler({ path, method: 'GET' } as never, response as never, () => undefined);
    for (const done of finished) done();
    return seen[0];
  };

  it.each([
    ['/healthz', '/healthz'],
    ['/api/github/webhooks', '/api/github/webhooks'],
    ['/api/collections/webauthn/records/mona@example.org', '/api'],
    ['/assets/index-Ab12.js', '/assets'],
    ['/mona@example.org', 'page'],
    ['/__proto__', 'page'],
  ])('contain nothing that a person chose: %s becomes %s', (path, route) => {
    expect(routeOf(path)).toBe(route);
  });
});

describe('GET /metrics', () => {
  const page = answerMetrics({
    token: 'sixteen-letters!',
    request: () => undefined,
    text: async () => 'the text',
    contentType: 'text/plain',
  });
  const ask = async (authorization?: string) => {
    const sent: string[] = [];
    const response = { set: () => response, send: (text: string) => void sent.push(text) };
    await (page as (...all: Parameters<RequestHandler>) => Promise<void>)(
      { get: () => authorization } as never,
      response as never,
      () => undefined,
    );
    return sent[0];
  };

  it('answers with the right bearer token', async () => {
    expect(await ask('Bearer sixteen-letters!')).toBe('the text');
  });

  it.each(
    [
      [undefined, 'Bearer sixteen-letters', 'Bearer sixteen-letters!!', 'sixteen-letters!'],
      ['Basic sixteen-letters!', 'bearer SIXTEEN-LETTERS!'],
    ].flat(),
  )('is 404 with any other authorization: %p', async (authorization) => {
    expect(await codeOf(ask(authorization))).toBe('notFound');
  });
});

import { describe, expect, it } from '@jest/globals';
import type { DailyBackups } from '../../../src/adapters/pocketbase/backups/daily-backups.ts';
import type { Assembly } from '../../../src/app/assemble.ts';
import { createMetrics } from '../../../src/app/metrics.ts';
import { readingsOf } from '../../../src/app/readings.ts';
import { AppError } from '../../../src/shared/app-error.ts';

const readings = {
  ready: async () => 1,
  unreported: async () => 3,
  notices: async () => 2,
  lastWebhook: async () => 1_761_000_000,
  silent: async () => 0,
  sweptAt: async () => 1_762_000_000,
  sweepFaults: async () => 1,
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
    expect(readingOf(first, 'otp_guard_backup_free_bytes')).toBeUndefined();
    expect(readingOf(first, 'otp_guard_ready')).toBe('1');
    expect(readingOf(first, 'otp_guard_redis_up')).toBe('0');
    unreported = 0;
    expect(readingOf(await metrics.text(), 'otp_guard_unreported_heads')).toBe('0');
  });

  it('show no number, and no outdated one, while the record store does not answer', async () => {
    const metrics = createMetrics();
    let isDown = false;
    const failing = async () => {
      if (isDown) throw new AppError('storeUnavailable');
      return 7;
    };
    metrics.addReadings({ ...readings, unreported: failing, notices: failing, sweptAt: failing });
    expect(readingOf(await metrics.text(), 'otp_guard_unreported_heads')).toBe('7');
    isDown = true;
    const text = await metrics.text();
    for (const name of ['unreported_heads', 'notices_waiting', 'last_sweep_timestamp_seconds'])
      expect([name, readingOf(text, `otp_guard_${name}`)]).toEqual([name, undefined]);
  });

  it.each<[what: string, reading: () => Promise<number | null>]>([
    ['has none', async () => null],
    ['is no number', async () => Number.NaN],
    ['fails', () => Promise.reject(new Error('no answer'))],
  ])('are never NaN: a gauge is absent if its reading %s', async (_what, reading) => {
    const metrics = createMetrics();
    const names = Object.keys(readings) as (keyof typeof readings)[];
    metrics.addReadings(Object.fromEntries(names.map((name) => [name, reading])) as never);
    const text = await metrics.text();
    expect(text.split('\n').filter((line) => / nan$/i.test(line))).toEqual([]);
    expect(text).not.toMatch(/^otp_guard_(redis_up|clock_offset_seconds)/m);
  });

  it('show 0 for what never happened, which an alert can compare, and no number for backups that are off', async () => {
    const reconcile = { reconcileReports: { latest: async () => null } };
    const deps = { rounds: { reconcile, notices: { notices: {} } } } as unknown as Assembly;
    const more = { disks: {}, limits: {} } as Omit<Parameters<typeof readingsOf>[1], 'backups'>;
    const backups = { lastMade: async () => null } as unknown as DailyBackups;
    const { sweptAt, sweepFaults, lastBackup } = readingsOf(deps, { ...more, backups });
    expect(await Promise.all([sweptAt(), sweepFaults(), lastBackup()])).toEqual([0, 0, 0]);
    expect(await readingsOf(deps, { ...more, backups: null }).lastBackup()).toBeNull();
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
});

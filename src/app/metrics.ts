import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { COMMIT, VERSION } from '../shared/version.ts';

/** The values that are read when the metrics are requested. Each shows NaN, and no outdated number, if it can't be read. */
const GAUGES = {
  unreported: ['unreported_heads', 'Heads with an approval that GitHub does not show yet.'],
  notices: ['notices_waiting', 'E-mails that still have to be sent.'],
  lastWebhook: ['last_webhook_timestamp_seconds', 'When the last webhook was processed.'],
  silent: ['silent_installations', 'Installations whose webhooks do not arrive.'],
  sweptAt: ['last_sweep_timestamp_seconds', 'When the last reconciliation ended; 0 if none ever did.'],
  lastBackup: [
    'last_backup_timestamp_seconds',
    'When the last good daily backup was made; 0 if none ever was, NaN if they are off.',
  ],
  sweepFaults: ['last_sweep_faults', 'Faults in the last reconciliation.'],
  dataBytes: ['data_free_bytes', 'Free space on the disk of DATA_DIR; NaN with an external record store.'],
  backupBytes: ['backup_free_bytes', 'Free space on the disk of the daily backups; NaN if they are off.'],
  redis: ['redis_up', 'Whether Redis answers; NaN if none is set.'],
} as const;

type Values = Record<keyof typeof GAUGES, number | null | undefined>;

/** The number for each gauge; null for none. Times are in seconds since 1970. */
export type Readings = Record<
  Exclude<keyof typeof GAUGES, 'sweptAt' | 'sweepFaults'>,
  () => Promise<number | null>
> & {
  /** When the last reconciliation ended, and its number of faults; null if none ever did. */
  sweep(): Promise<{ at: number; faults: number } | null>;
};

export type Metrics = ReturnType<typeof createMetrics>;

/** The product's metrics in Prometheus's text format. No label contains anything that a person chose. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `otp_guard_${name}`, help, labelNames, registers });
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `otp_guard_${name}`, help, labelNames, registers });

  // Always 1: the labels have the facts.
  gauge(
    'build_info',
    'The version that runs, and the commit that it was built from.',
    'version',
    'commit',
  ).set({ version: VERSION || 'unknown', commit: COMMIT || 'unknown' }, 1);
  const requests = new Histogram({
    name: 'otp_guard_http_request_duration_seconds',
    help: 'Duration of HTTP requests, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
    registers,
  });
  const webhooks = counter('webhooks_total', 'Webhooks received, by event and outcome.', 'event', 'outcome');
  const forgedRecords = counter(
    'forged_records_total',
    'Records found that OTP Guard did not write. None of them counts.',
  );
  const forgedChecks = counter('forged_checks_total', 'Green checks on GitHub that OTP Guard did not give.');
  const overdue = counter(
    'overdue_rounds_total',
    'Rounds of periodic work that did not end in time and were left.',
  );
  const github = counter(
    'github_requests_total',
    'Requests to the GitHub API, by status of the answer; 0 if there was none.',
    'status',
  );
  const clockOffset = gauge(
    'clock_offset_seconds',
    "How far this machine's clock is ahead of GitHub's, by the last answer.",
  );
  clockOffset.set(Number.NaN);
  let refresh = async () => {};
  return {
    request(labels: { route: string; method: string; status: number }, seconds: number): void {
      requests.observe(labels, seconds);
    },
    webhook(event: string, outcome: string): void {
      webhooks.inc({ event, outcome });
    },
    /** @param date GitHub's time, as the answer's header has it; null without one. */
    github(status: number, date: string | null): void {
      github.inc({ status });
      const theirs = Date.parse(date ?? '');
      if (!Number.isNaN(theirs)) clockOffset.set((Date.now() - theirs) / 1000);
    },
    forgedRecord: () => forgedRecords.inc(),
    forgedCheck: () => forgedChecks.inc(),
    overdueRound: () => overdue.inc(),
    addReadings(readings: Readings): void {
      const gauges = Object.entries(GAUGES).map(([key, [name, help]]) => [key, gauge(name, help)] as const);
      refresh = async () => {
        const values = await readAll(readings);
        for (const [key, shown] of gauges) shown.set(values[key as keyof Values] ?? Number.NaN);
      };
    },
    async text(): Promise<string> {
      await refresh();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

/** Reads everything once per answer, so that values that belong together are from the same moment. */
async function readAll(readings: Readings): Promise<Values> {
  const orUndefined = <T>(read: Promise<T>) => read.catch(() => undefined);
  const { sweep: readSweep, ...others } = readings;
  const [sweep, ...values] = await Promise.all([
    orUndefined(readSweep()),
    ...Object.values(others).map((read) => orUndefined(read())),
  ]);
  const named = Object.keys(others).map((name, at) => [name, values[at]]);
  // 0 for "never": an alert can't compare with NaN.
  const swept = sweep === null ? { at: 0, faults: 0 } : sweep;
  return { ...Object.fromEntries(named), sweptAt: swept?.at, sweepFaults: swept?.faults };
}

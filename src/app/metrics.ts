import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { COMMIT, VERSION } from '../shared/version.ts';

/** The values that are read when the metrics are requested. Times are in seconds since 1970. */
const GAUGES = {
  ready: ['ready', 'Whether /readyz says that OTP Guard can work.'],
  unreported: ['unreported_heads', 'Heads with an approval that GitHub does not show yet.'],
  notices: ['notices_waiting', 'E-mails that still have to be sent.'],
  lastWebhook: ['last_webhook_timestamp_seconds', 'When the last webhook that OTP Guard acts on arrived.'],
  silent: ['silent_installations', 'Installations whose webhooks do not arrive.'],
  sweptAt: ['last_sweep_timestamp_seconds', 'When the last reconciliation ended; 0 if none ever did.'],
  lastBackup: [
    'last_backup_timestamp_seconds',
    'When the last good daily backup was made; 0 if none ever was, absent if they are off.',
  ],
  sweepFaults: ['last_sweep_faults', 'Faults in the last reconciliation.'],
  dataBytes: ['data_free_bytes', 'Free space on the disk of DATA_DIR; absent with an external record store.'],
  backupBytes: ['backup_free_bytes', 'Free space on the disk of the daily backups; absent if they are off.'],
  redis: ['redis_up', 'Whether Redis answers; absent if none is set.'],
} as const;

/** Reads the number for each gauge; null if there is none. */
export type Readings = Record<keyof typeof GAUGES, () => Promise<number | null>>;

export type Metrics = ReturnType<typeof createMetrics>;

/** The product's metrics in Prometheus's text format. No label contains anything that a person chose. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `otp_guard_${name}`, help, labelNames, registers });
  const gauge = (name: string, help: string, collect?: () => Promise<void>) =>
    new Gauge({ name: `otp_guard_${name}`, help, registers, ...(collect && { collect }) });

  // Always 1: the labels name the build.
  new Gauge({
    name: 'otp_guard_build_info',
    help: 'The version that runs, and the commit that it was built from.',
    labelNames: ['version', 'commit'],
    registers,
  }).set({ version: VERSION || 'unknown', commit: COMMIT || 'unknown' }, 1);
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
    /** A gauge is absent, and shows no outdated number and no NaN, if it has none or its reading fails. */
    addReadings(readings: Readings): void {
      for (const key of Object.keys(GAUGES) as (keyof typeof GAUGES)[]) {
        const [name, help] = GAUGES[key];
        const shown = gauge(name, help, async () => {
          shown.set((await readings[key]().catch(() => null)) ?? Number.NaN);
        });
      }
    },
    /** Without the gauges that have no number: in sums and alerts, NaN would hide the numbers of other processes. */
    text: async () => (await registry.metrics()).replace(/^\S+ Nan\n/gm, ''),
    contentType: registry.contentType,
  };
}

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { COMMIT, VERSION } from '../shared/version.ts';

/** Values that are read when the metrics are requested. */
export type Readings = {
  /** The number of heads with an approval that GitHub doesn't show yet. */
  unreported(): Promise<number>;
  /** The number of e-mails that still have to be sent. */
  notices(): Promise<number>;
  /** When the last webhook was processed, in seconds since 1970; null if there was none. */
  lastWebhook(): Promise<number | null>;
  /** The number of installations whose webhooks don't arrive. */
  silent(): Promise<number>;
  /** When the last reconciliation ended, in seconds since 1970, and its number of faults; null if none ever did. */
  sweep(): Promise<{ at: number; faults: number } | null>;
  /** When the last good daily backup was made, in seconds since 1970, 0 if none ever was; null if they're off. */
  lastBackup(): Promise<number | null>;
  /** What can still be written on the disk of DATA_DIR; null with an external record store. */
  dataBytes(): Promise<number | null>;
  /** The same where backups are written; null if they're off. */
  backupBytes(): Promise<number | null>;
  /** 1 if Redis answers, 0 if it doesn't; null if none is set. */
  redis(): Promise<number | null>;
};

export type Metrics = ReturnType<typeof createMetrics>;

/** The product's metrics in Prometheus's text format. No label contains anything that a person chose. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addBuildInfo(registry);
  const { requests, webhooks, github, forgedRecords, forged, overdue } = createCounters(registry);
  const clockOffset = addClockOffset(registry);
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
    forgedRecord(): void {
      forgedRecords.inc();
    },
    forgedCheck(): void {
      forged.inc();
    },
    overdueRound(): void {
      overdue.inc();
    },
    addReadings(readings: Readings): void {
      const show = addGauges(registry);
      refresh = async () => show(await readAll(readings));
    },
    async text(): Promise<string> {
      await refresh();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

/** Always 1: what it says is in its labels. */
function addBuildInfo(registry: Registry): void {
  const info = new Gauge({
    name: 'otp_guard_build_info',
    help: 'The version that runs, and the commit that it was built from.',
    labelNames: ['version', 'commit'],
    registers: [registry],
  });
  info.set({ version: VERSION || 'unknown', commit: COMMIT || 'unknown' }, 1);
}

function addClockOffset(registry: Registry): Gauge {
  const offset = new Gauge({
    name: 'otp_guard_clock_offset_seconds',
    help: "How far this machine's clock is ahead of GitHub's, by the last answer.",
    registers: [registry],
  });
  offset.set(Number.NaN);
  return offset;
}

function createCounters(registry: Registry) {
  const registers = [registry];
  return {
    requests: new Histogram({
      name: 'otp_guard_http_request_duration_seconds',
      help: 'Duration of HTTP requests, by route, method and status.',
      labelNames: ['route', 'method', 'status'],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
      registers,
    }),
    webhooks: new Counter({
      name: 'otp_guard_webhooks_total',
      help: 'Webhooks received, by event and outcome.',
      labelNames: ['event', 'outcome'],
      registers,
    }),
    forgedRecords: new Counter({
      name: 'otp_guard_forged_records_total',
      help: 'Records found that OTP Guard did not write. None of them counts.',
      registers,
    }),
    forged: new Counter({
      name: 'otp_guard_forged_checks_total',
      help: 'Green checks on GitHub that OTP Guard did not give.',
      registers,
    }),
    overdue: new Counter({
      name: 'otp_guard_overdue_rounds_total',
      help: 'Rounds of periodic work that did not end in time and were left.',
      registers,
    }),
    github: new Counter({
      name: 'otp_guard_github_requests_total',
      help: 'Requests to the GitHub API, by status of the answer; 0 if there was none.',
      labelNames: ['status'],
      registers,
    }),
  };
}

/** One gauge for each reading. Each shows NaN, and no outdated number, if its value can't be read. */
function addGauges(registry: Registry): (values: Values) => void {
  const gauges = Object.entries(GAUGES).map(([key, { name, help }]) => {
    const gauge = new Gauge({ name, help, registers: [registry] });
    return { key: key as keyof Values, gauge };
  });
  return (values) => {
    for (const { key, gauge } of gauges) gauge.set(values[key] ?? Number.NaN);
  };
}

type Values = Record<keyof typeof GAUGES, number | null | undefined>;

const GAUGES = {
  unreported: {
    name: 'otp_guard_unreported_heads',
    help: 'Heads with an approval that GitHub does not show yet.',
  },
  notices: { name: 'otp_guard_notices_waiting', help: 'E-mails that still have to be sent.' },
  lastWebhook: {
    name: 'otp_guard_last_webhook_timestamp_seconds',
    help: 'When the last webhook was processed.',
  },
  silent: { name: 'otp_guard_silent_installations', help: 'Installations whose webhooks do not arrive.' },
  sweptAt: {
    name: 'otp_guard_last_sweep_timestamp_seconds',
    help: 'When the last reconciliation ended; 0 if none ever did.',
  },
  lastBackup: {
    name: 'otp_guard_last_backup_timestamp_seconds',
    help: 'When the last good daily backup was made; 0 if none ever was, NaN if they are off.',
  },
  sweepFaults: { name: 'otp_guard_last_sweep_faults', help: 'Faults in the last reconciliation.' },
  dataBytes: {
    name: 'otp_guard_data_free_bytes',
    help: 'Free space on the disk of DATA_DIR; NaN with an external record store.',
  },
  backupBytes: {
    name: 'otp_guard_backup_free_bytes',
    help: 'Free space on the disk of the daily backups; NaN if they are off.',
  },
  redis: { name: 'otp_guard_redis_up', help: 'Whether Redis answers; NaN if none is set.' },
};

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

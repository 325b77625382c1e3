import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Values that are read when the metrics are requested. */
export type Readings = {
  /** The number of heads with an approval that GitHub doesn't show yet. */
  unreported(): Promise<number>;
  /** The number of e-mails that still have to be sent. */
  notices(): Promise<number>;
  /** When the last reconciliation ended, in seconds since 1970, and its number of faults; null before the first. */
  sweep(): Promise<{ at: number; faults: number } | null>;
};

export type Metrics = ReturnType<typeof createMetrics>;

/** The product's metrics in Prometheus's text format. No label contains anything that a person chose. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { requests, webhooks, github } = createCounters(registry);
  return {
    request(labels: { route: string; method: string; status: number }, seconds: number): void {
      requests.observe(labels, seconds);
    },
    webhook(event: string, outcome: string): void {
      webhooks.inc({ event, outcome });
    },
    github(status: number): void {
      github.inc({ status });
    },
    addReadings: (readings: Readings) => addGauges(registry, readings),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
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
    github: new Counter({
      name: 'otp_guard_github_requests_total',
      help: 'Requests to the GitHub API, by status of the answer; 0 if there was none.',
      labelNames: ['status'],
      registers,
    }),
  };
}

function addGauges(registry: Registry, readings: Readings): void {
  /** Shows NaN, and no outdated number, if the value can't be read. */
  const addGauge = (name: string, help: string, read: () => Promise<number | undefined>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.reset();
        const value = await read().catch(() => undefined);
        this.set(value ?? Number.NaN);
      },
    });
  addGauge(
    'otp_guard_unreported_heads',
    'Heads with an approval that GitHub does not show yet.',
    readings.unreported,
  );
  addGauge('otp_guard_notices_waiting', 'E-mails that still have to be sent.', readings.notices);
  addGauge(
    'otp_guard_last_sweep_timestamp_seconds',
    'When the last reconciliation ended.',
    async () => (await readings.sweep())?.at,
  );
  addGauge(
    'otp_guard_last_sweep_faults',
    'Faults in the last reconciliation.',
    async () => (await readings.sweep())?.faults,
  );
}

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What is known only when it is asked for. */
export type Readings = {
  /** Heads whose approval GitHub has not heard of. */
  unreported(): Promise<number>;
  /** Messages that are still to be sent. */
  notices(): Promise<number>;
  /** Seconds since 1970 of the sweeper's last round, and what it could not see to. */
  sweep(): Promise<{ at: number; faults: number } | null>;
};

export type Metrics = ReturnType<typeof createMetrics>;

/** What a monitor wants to know, in the text format of Prometheus. No label holds what a person chose. */
export function createMetrics() {
  const registers = [new Registry()];
  const [registry = new Registry()] = registers;
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'otp_guard_http_request_duration_seconds',
    help: 'How long requests took, by route and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
    registers,
  });
  const webhooks = new Counter({
    name: 'otp_guard_webhooks_total',
    help: 'Webhooks that came in, by event and what became of them.',
    labelNames: ['event', 'outcome'],
    registers,
  });
  const github = new Counter({
    name: 'otp_guard_github_requests_total',
    help: 'Requests to the API of GitHub, by the status that it answered; 0 where it did not.',
    labelNames: ['status'],
    registers,
  });
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
    /** Reads these whenever somebody asks; what cannot be read then is left out. */
    read(readings: Readings): void {
      const gauge = (name: string, help: string, read: () => Promise<number | undefined>) =>
        new Gauge({
          name,
          help,
          registers,
          async collect() {
            this.reset();
            const value = await read().catch(() => undefined);
            this.set(value ?? Number.NaN);
          },
        });
      gauge(
        'otp_guard_unreported_heads',
        'Heads whose approval GitHub has not heard of.',
        readings.unreported,
      );
      gauge('otp_guard_notices_waiting', 'Messages that are still to be sent.', readings.notices);
      gauge(
        'otp_guard_last_sweep_timestamp_seconds',
        'When the sweeper went its last round.',
        async () => (await readings.sweep())?.at,
      );
      gauge(
        'otp_guard_last_sweep_faults',
        'What the sweeper could not see to in its last round.',
        async () => (await readings.sweep())?.faults,
      );
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

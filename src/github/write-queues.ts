import Bottleneck from 'bottleneck';
import type { WritePriority } from '../approvals/ports.ts';

/**
 * GitHub allows Apps 80 writes that create content per minute (docs.github.com,
 * "Rate limits for the REST API"). Express writes have a share of their own, so
 * that they don't wait behind a burst of new pull requests.
 */
const PER_MINUTE = { express: 30, normal: 50 };

export type WriteLimits = {
  /** How many writes a queue sends per refill. */
  perRefill: Record<WritePriority, number>;
  refillMs: number;
  /** A write that waits longer in its queue is dropped: another process may have done it since. */
  patienceMs: number;
};

const LIMITS: WriteLimits = { perRefill: PER_MINUTE, refillMs: 60_000, patienceMs: 20_000 };

/**
 * Sends writes to GitHub; each installation has a queue per priority. The signal
 * aborts when the write's time is over, in the queue or on the way.
 */
export function createWriteQueues(limits: Partial<WriteLimits> = {}) {
  const { perRefill, refillMs, patienceMs } = { ...LIMITS, ...limits };
  const queues = new Map<string, Bottleneck>();
  const queueFor = (installation: number, priority: WritePriority): Bottleneck => {
    const key = `${installation}:${priority}`;
    const existing = queues.get(key);
    if (existing) return existing;
    const queue = new Bottleneck({
      maxConcurrent: 5,
      reservoir: perRefill[priority],
      reservoirRefreshAmount: perRefill[priority],
      reservoirRefreshInterval: refillMs,
    });
    queues.set(key, queue);
    return queue;
  };

  return async function send<T>(
    { installation, priority }: { installation: number; priority: WritePriority },
    write: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const timeout = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const timedOut = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        timeout.abort();
        reject(new Error('the write to GitHub waited too long in its queue'));
      }, patienceMs);
    });
    const sent = queueFor(installation, priority).schedule(async () => {
      timeout.signal.throwIfAborted();
      return write(timeout.signal);
    });
    // After the timeout nobody awaits this promise, and an unhandled rejection would end the process.
    sent.catch(() => undefined);
    try {
      return await Promise.race([sent, timedOut]);
    } finally {
      clearTimeout(timer);
    }
  };
}

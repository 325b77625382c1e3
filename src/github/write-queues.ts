import { setTimeout as delay } from 'node:timers/promises';
import type { WritePriority } from '../approvals/ports.ts';
import type { Limits } from '../limits.ts';

/**
 * GitHub allows 80 requests a minute and 500 an hour that create content
 * (docs.github.com, "Rate limits for the REST API"). The higher priorities may
 * use what the lower ones must leave.
 */
const MOST: Record<WritePriority, { perMinute: number; perHour: number }> = {
  takeAway: { perMinute: 79, perHour: 499 },
  approval: { perMinute: 73, perHour: 475 },
  completion: { perMinute: 67, perHour: 435 },
  other: { perMinute: 62, perHour: 400 },
};

/** What a write has to wait that waited in its queue until its time was over. */
const SOON_MS = 1_000;

/** GitHub counts when a request arrives, which can be as late as its answer. */
const LATEST_ARRIVAL_MS = 10_000;

export type WriteLimits = {
  most: Record<WritePriority, { perMinute: number; perHour: number }>;
  minuteMs: number;
  hourMs: number;
  /** A write that waits longer is dropped: another process may have done it since. */
  patienceMs: number;
};

export const WRITE_LIMITS: WriteLimits = {
  most: MOST,
  minuteMs: 60_000 + LATEST_ARRIVAL_MS,
  hourMs: 3_600_000 + LATEST_ARRIVAL_MS,
  patienceMs: 20_000,
};

/** How long a write may wait: until the signal aborts, which it does at this time of `performance.now()`. */
export type Patience = { signal: AbortSignal; until: number };

/**
 * Waits for its turn to write.
 *
 * @returns 0, or the milliseconds until it's worth trying again, if the turn can't come in time.
 */
export type TakeTurn = (installation: number, priority: WritePriority, patience: Patience) => Promise<number>;

/**
 * Lets writes pass in their turn: each installation has a queue per priority in
 * this process, and all processes count together. A write that would wait in vain
 * doesn't wait: it may hold the claim to a head's run, for which an approval of that head would have to wait too.
 */
export function createWriteQueues(limits: Limits, { most, minuteMs, hourMs }: WriteLimits): TakeTurn {
  const lastInQueue = new Map<string, Promise<unknown>>();
  return async (installation, priority, { signal, until }) => {
    const { perMinute, perHour } = most[priority];
    const key = `github:${installation}`;
    const wanted = [
      { key: `${key}:minute`, most: perMinute, ms: minuteMs },
      { key: `${key}:hour`, most: perHour, ms: hourMs },
    ];
    const turn = async () => {
      for (;;) {
        const wait = signal.aborted ? SOON_MS : await limits.take(wanted);
        if (wait === 0 || signal.aborted || performance.now() + wait > until) return wait;
        // Rejects when the signal aborts.
        await delay(wait, undefined, { signal }).catch(() => undefined);
      }
    };
    const queue = `${installation}:${priority}`;
    const mine = (lastInQueue.get(queue) ?? Promise.resolve()).then(turn);
    const settled = mine.catch(() => undefined);
    lastInQueue.set(queue, settled);
    void settled.then(() => lastInQueue.get(queue) === settled && lastInQueue.delete(queue));
    return mine;
  };
}

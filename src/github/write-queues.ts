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
  completion: { perMinute: 71, perHour: 470 },
  other: { perMinute: 62, perHour: 400 },
};

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

/** Waits for its turn to write; false if the signal aborts first. */
export type TakeTurn = (
  installation: number,
  priority: WritePriority,
  signal: AbortSignal,
) => Promise<boolean>;

/**
 * Lets writes pass in their turn: each installation has a queue per priority in
 * this process, and all processes count together.
 */
export function createWriteQueues(limits: Limits, { most, minuteMs, hourMs }: WriteLimits): TakeTurn {
  const lastInQueue = new Map<string, Promise<unknown>>();
  return async (installation, priority, signal) => {
    const { perMinute, perHour } = most[priority];
    const key = `github:${installation}`;
    const wanted = [
      { key: `${key}:minute`, most: perMinute, ms: minuteMs },
      { key: `${key}:hour`, most: perHour, ms: hourMs },
    ];
    const turn = async () => {
      while (!signal.aborted) {
        const wait = await limits.take(wanted);
        if (wait === 0) return true;
        // Rejects when the signal aborts, which ends the loop.
        await delay(wait, undefined, { signal }).catch(() => undefined);
      }
      return false;
    };
    const queue = `${installation}:${priority}`;
    const mine = (lastInQueue.get(queue) ?? Promise.resolve()).then(turn);
    const settled = mine.catch(() => undefined);
    lastInQueue.set(queue, settled);
    void settled.then(() => lastInQueue.get(queue) === settled && lastInQueue.delete(queue));
    return mine;
  };
}

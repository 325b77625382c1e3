import { AppError } from './app-error.ts';
import type { Clock } from './clock.ts';

/** At most `most` in any period of `ms`, under this key. Limits that share a key must share `ms`. */
export type Limit = {
  key: string;
  most: number;
  ms: number;
  /** The number of calls that this one counts as; 1 by default. */
  cost?: number;
};

/** Counters over sliding periods, shared by all processes that share a Redis. */
export type Limits = {
  /**
   * Counts against every limit, or against none if one of them is full: so what is refused uses nothing up.
   *
   * @returns 0, or the milliseconds until it's worth trying again.
   */
  take(limits: Limit[]): Promise<number>;
  /** Blocks the key for that long. */
  block(key: string, ms: number): Promise<void>;
  /** The milliseconds for which the key stays blocked; 0 if it isn't. */
  blockedFor(key: string): Promise<number>;
};

/** A period is counted in this many parts, so that a counter stays small. A part counts until its last moment ends. */
export const PARTS = 60;

/** The counts of each part, by the part's number. */
type Counter = { ms: number; parts: Map<number, number> };

const SWEEP_MS = 60_000;

/** Counts in this process alone. */
export function createMemoryLimits(now: () => number = () => Math.round(performance.now())): Limits {
  const counters = new Map<string, Counter>();
  const blocked = new Map<string, number>();
  let sweptAt = now();
  const sweep = () => {
    if (now() - sweptAt < SWEEP_MS) return;
    sweptAt = now();
    for (const [key, until] of blocked) if (until <= now()) blocked.delete(key);
    for (const [key, counter] of counters) {
      dropEnded(counter, now());
      if (counter.parts.size === 0) counters.delete(key);
    }
  };
  const counterOf = ({ key, ms }: Limit): Counter => {
    const counter = counters.get(key) ?? { ms, parts: new Map() };
    counters.set(key, counter);
    dropEnded(counter, now());
    return counter;
  };
  return {
    async take(limits) {
      sweep();
      const waits = limits.map((limit) => waitFor(counterOf(limit), limit, now()));
      const longest = Math.max(0, ...waits);
      if (longest > 0) return longest;
      for (const limit of limits) {
        const { parts } = counterOf(limit);
        const part = Math.floor(now() / partMs(limit.ms));
        parts.set(part, (parts.get(part) ?? 0) + (limit.cost ?? 1));
      }
      return 0;
    },
    async block(key, ms) {
      blocked.set(key, Math.max(blocked.get(key) ?? 0, now() + ms));
    },
    blockedFor: async (key) => Math.max(0, (blocked.get(key) ?? 0) - now()),
  };
}

const partMs = (ms: number) => Math.max(1, Math.floor(ms / PARTS));
const endOf = (part: number, ms: number) => (part + 1) * partMs(ms) + ms;

function dropEnded({ ms, parts }: Counter, now: number): void {
  for (const part of parts.keys()) if (endOf(part, ms) <= now) parts.delete(part);
}

/** How long until there is room; 0 if there is room now. */
function waitFor({ ms, parts }: Counter, { most, cost = 1 }: Limit, now: number): number {
  let excess = cost - most;
  for (const count of parts.values()) excess += count;
  if (excess <= 0) return 0;
  for (const [part, count] of [...parts].sort(([one], [other]) => one - other)) {
    excess -= count;
    if (excess <= 0) return endOf(part, ms) - now;
  }
  return ms;
}

/** A limit on how often something may happen in a period, shared by all processes. */
export type Quota = {
  /** Takes one of `most` slots for `ms`. Returns the time when the next slot is free if all are taken. */
  take(key: string, rule: { most: number; ms: number }, now: Date): Promise<QuotaSlot | Date>;
};

/** A taken slot. Release it if the work it was taken for failed. */
export type QuotaSlot = { release(): Promise<void> };

/**
 * Takes one of `most` slots for `ms`, before the work that it limits.
 *
 * @throws AppError `tooManyRequests`, with the seconds until the next slot is free.
 */
export async function takeSlot(
  { quota, clock }: { quota: Quota; clock: Clock },
  key: string,
  rule: { most: number; ms: number },
): Promise<void> {
  const now = clock.now();
  const slot = await quota.take(key, rule, now);
  if (!(slot instanceof Date)) return;
  const retryAfter = Math.max(1, Math.ceil((slot.getTime() - now.getTime()) / 1000));
  throw new AppError('tooManyRequests', { retryAfter });
}

/** A wait as a sentence has it: a minute, 5 minutes, 3 hours. */
export function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 1) return 'a minute';
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

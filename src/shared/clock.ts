import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** The current time: passed in, so that tests can control it. */
export type Clock = {
  now(): Date;
  /** Milliseconds that no change of the system's time moves. A clock of a test that has none goes by `now`. */
  elapsed?(): number;
};

/**
 * Milliseconds since some moment, for caches, pauses and deadlines of this process. The time of day can be set ahead
 * and back, and a value that was remembered until a time in the future would stay until then.
 */
export const elapsed = (clock: Clock): number => clock.elapsed?.() ?? clock.now().getTime();

/** Waits for some milliseconds: passed in for the same reason. */
export type Sleep = (ms: number) => Promise<unknown>;

/** Returns that many unpredictable bytes. */
export type Random = (bytes: number) => Uint8Array;

export const systemClock = { now: () => new Date(), elapsed: () => performance.now() } satisfies Clock;

export const systemSleep: Sleep = (ms) => delay(ms);

export const systemRandom: Random = (bytes) => new Uint8Array(randomBytes(bytes));

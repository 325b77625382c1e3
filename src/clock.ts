import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** The current time: passed in, so that tests can control it. */
export type Clock = { now(): Date };

/** Waits for some milliseconds: passed in for the same reason. */
export type Sleep = (ms: number) => Promise<unknown>;

/** Returns that many unpredictable bytes. */
export type Random = (bytes: number) => Uint8Array;

export const systemClock: Clock = { now: () => new Date() };

export const systemSleep: Sleep = (ms) => delay(ms);

export const systemRandom: Random = (bytes) => new Uint8Array(randomBytes(bytes));

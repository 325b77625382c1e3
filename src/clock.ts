import { randomBytes } from 'node:crypto';

/** Time as the domain sees it: passed in, so that a test can move it. */
export type Clock = { now(): Date };

/** Randomness as the domain sees it: `bytes` unpredictable bytes. */
export type Random = (bytes: number) => Uint8Array;

export const systemClock: Clock = { now: () => new Date() };

export const systemRandom: Random = (bytes) => new Uint8Array(randomBytes(bytes));

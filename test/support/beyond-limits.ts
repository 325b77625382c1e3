import type { Waits } from '../../src/app/assemble.ts';

// For tests that write more in a minute than GitHub allows. Those in test/http/github-limits.test.ts are about its limits.

/** Limits of the local GitHub that no test reaches. */
export const RATE_LIMITS = {
  contentPerMinute: Number.POSITIVE_INFINITY,
  contentPerHour: Number.POSITIVE_INFINITY,
  requestsPerHour: 1_000_000,
};

const MUCH = { perMinute: 1_000_000, perHour: 1_000_000 };

/** How fast the product writes to GitHub. */
export const WRITES: NonNullable<Waits['writes']> = {
  most: { takeAway: MUCH, approval: MUCH, completion: MUCH, other: MUCH },
};

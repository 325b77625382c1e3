import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { createMemoryLimits } from '../../../src/shared/limits.ts';
import { fakeDate } from '../../support/fake-date.ts';

const HOUR_MS = 60 * 60_000;
const LIMIT = { key: 'calls', most: 1, ms: HOUR_MS };

beforeEach(fakeDate);
afterEach(() => {
  jest.useRealTimers();
});

it('end no sooner if the time is set ahead', async () => {
  const limits = createMemoryLimits();
  expect(await limits.take([LIMIT])).toBe(0);
  await limits.block('github', HOUR_MS);
  jest.setSystemTime(Date.now() + 3 * HOUR_MS);
  expect(await limits.take([LIMIT])).toBeGreaterThan(0);
  expect(await limits.blockedFor('github')).toBeGreaterThan(0);
});

it('end no later because the time was ahead when they began', async () => {
  const limits = createMemoryLimits();
  const now = Date.now();
  jest.setSystemTime(now + 3 * HOUR_MS);
  await limits.take([LIMIT]);
  await limits.block('github', HOUR_MS);
  jest.setSystemTime(now);
  // The part of the period in which it was taken has to end, too.
  expect(await limits.take([LIMIT])).toBeLessThanOrEqual(HOUR_MS + HOUR_MS / 60);
  expect(await limits.blockedFor('github')).toBeLessThanOrEqual(HOUR_MS);
});

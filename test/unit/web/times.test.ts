import { describe, expect, test } from '@jest/globals';
import { ago, dayOf, exactTime, formatWait, toIso } from '../../../web/src/lib/times.ts';

const TIME = '2026-11-21 09:14:03.123Z';

test('a time is shown as its day, in full, and as RFC 3339', () => {
  expect([dayOf(TIME), exactTime(TIME)]).toEqual(['2026-11-21', '2026-11-21 09:14:03 UTC']);
  expect(toIso(TIME)).toBe('2026-11-21T09:14:03.123Z');
});

describe('ago', () => {
  test.each([
    [-100, 'just now'],
    [30, 'just now'],
    [60, '1 minute ago'],
    [3 * 3600, '3 hours ago'],
    [26 * 3600, 'yesterday'],
    [40 * 86_400, 'last month'],
    [800 * 86_400, '2 years ago'],
  ])('after %i seconds it says %s', (seconds, text) => {
    expect(ago(TIME, Date.parse(toIso(TIME)) + seconds * 1000)).toBe(text);
  });
});

describe('formatWait', () => {
  test.each(
    Object.entries({ 1: 'in 10 seconds', 41: 'in 50 seconds', 60: 'in a minute', 61: 'in 2 minutes' }),
  )('formats %s seconds as %s', (seconds, text) => {
    expect(formatWait(Number(seconds))).toBe(text);
  });
});

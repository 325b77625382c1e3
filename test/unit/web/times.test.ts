import { describe, expect, test } from '@jest/globals';
import { ago, dayOf, exactTime, inAWhile, toIso } from '../../../web/src/lib/times.ts';

const AT = '2026-11-21 09:14:03.123Z';

test('shows the day part, and the exact time in full', () => {
  expect(dayOf(AT)).toBe('2026-11-21');
  expect(exactTime(AT)).toBe('2026-11-21 09:14:03 UTC');
  expect(toIso(AT)).toBe('2026-11-21T09:14:03.123Z');
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
  ])('%i seconds later: %s', (seconds, text) => {
    expect(ago(AT, Date.parse(toIso(AT)) + seconds * 1000)).toBe(text);
  });
});

describe('inAWhile', () => {
  test.each([
    [1, 'in 10 seconds'],
    [41, 'in 50 seconds'],
    [60, 'in a minute'],
    [61, 'in 2 minutes'],
    [900, 'in 15 minutes'],
  ])('%i seconds: %s', (seconds, text) => {
    expect(inAWhile(seconds)).toBe(text);
  });
});

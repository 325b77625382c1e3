import { describe, expect, it } from '@jest/globals';
import { secondsLocked } from '../../../src/authenticators/codes/one-time-code.ts';

describe('the lock of one-time codes', () => {
  const last = new Date('2026-05-04T12:00:00Z');
  const MINUTE = 60;
  const DAY = 24 * 60 * MINUTE;
  const secondsAfter = (count: number, passed: number) =>
    secondsLocked(count, last, new Date(last.getTime() + passed * 1000));

  it.each([
    [4, 0, 0],
    [5, 0, 5 * MINUTE],
    [5, 0.5, 5 * MINUTE],
    [5, 5 * MINUTE, 0],
    [9, 0, 5 * MINUTE],
    [10, 0, 10 * MINUTE],
    [15, 0, 20 * MINUTE],
    [50, 0, DAY],
    [99, DAY, 0],
  ])(
    'doubles with each five wrong codes, up to a day: after %d of them and %d s, %d s are left',
    (...row) => {
      const [count, passed, left] = row;
      expect(secondsAfter(count, passed)).toBe(left);
    },
  );

  it('never wears off after a hundred wrong ones, so that nobody can try all codes in the end', () => {
    for (const count of [100, 101])
      for (const passed of [0, 25 * 60 * MINUTE, 1000 * DAY]) expect(secondsAfter(count, passed)).toBe(DAY);
  });
});

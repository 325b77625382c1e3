import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createQueryPace } from '../../../../src/adapters/github/octokit.ts';

beforeEach(() => void jest.useFakeTimers({ now: 0, doNotFake: ['queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

const sleep = (ms: number) => new Promise((over) => setTimeout(over, ms));

/** Sends a query that takes so long and may fail; notes when it began. */
function queries() {
  const inPace = createQueryPace(sleep);
  const began: number[] = [];
  const send = (installation: number, ms: number, fails = false) =>
    inPace(installation, async () => {
      began.push(Date.now());
      await sleep(ms);
      if (fails) throw new Error('no answer');
      return Date.now();
    });
  return { began, send };
}

describe('the queries of an installation', () => {
  it('go one after another, each after half of the time that the one before took', async () => {
    const { began, send } = queries();
    const answered = Promise.allSettled([send(1, 400), send(1, 10_000, true), send(1, 200), send(1, 200)]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(began).toEqual([0, 600, 15_600, 15_900]);
    expect((await answered).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
  });

  it('are answered without the pause after them, and wait for no other installation', async () => {
    const { began, send } = queries();
    const answered = Promise.all([send(1, 1_000), send(2, 1_000)]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([began, await answered]).toEqual([
      [0, 0],
      [1_000, 1_000],
    ]);
  });
});

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createQueryPace, createWriteTurns, WRITE_LIMITS } from '../../../../src/adapters/github/octokit.ts';
import { createMemoryLimits } from '../../../../src/shared/limits.ts';

type Priority = keyof typeof WRITE_LIMITS.most;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

/** Records which writes get their turn; `write` resolves with whether its turn came. */
function writes() {
  const takeTurn = createWriteTurns(createMemoryLimits(), WRITE_LIMITS);
  const sent: number[] = [];
  const turn = (priority: Priority, installation = 1) => {
    const patience = new AbortController();
    setTimeout(() => patience.abort(), WRITE_LIMITS.patienceMs);
    const until = performance.now() + WRITE_LIMITS.patienceMs;
    return takeTurn(installation, priority, { signal: patience.signal, until });
  };
  const write = async (priority: Priority, installation = 1) => {
    const isSent = (await turn(priority, installation)) === 0;
    if (isSent) sent.push(Date.now());
    return isSent;
  };
  const writeMany = async (count: number, priority: Priority) => {
    const all = await Promise.all(Array.from({ length: count }, () => write(priority)));
    return all.filter((isSent) => isSent).length;
  };
  return { sent, turn, write, writeMany };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('the writes of an installation', () => {
  it('leave a reserve for each more urgent kind, of which people who approve have one', async () => {
    const { write, writeMany } = writes();
    const counts: Promise<number>[] = [];
    for (const priority of ['other', 'completion', 'approval', 'takeAway'] as const) {
      counts.push(writeMany(100, priority));
      await pass(1_000);
    }
    expect(await write('other', 2)).toBe(true);
    await pass(21_000);
    expect(await Promise.all(counts)).toEqual([62, 5, 6, 6]);
  });

  it('leave people who approve what other completions of a whole hour may not use', async () => {
    const { write, writeMany } = writes();
    for (let minute = 0; minute < 8; minute += 1) {
      void writeMany(67, 'completion');
      await pass(72_000);
    }
    expect([await write('completion'), await write('approval')]).toEqual([false, true]);
  });

  it('wait no second in vain, and say how long it takes', async () => {
    const { turn, writeMany } = writes();
    for (let minute = 0; minute < 7; minute += 1) {
      void writeMany(62, 'other');
      await pass(72_000);
    }
    // The hour's limit is used up. The first 62 began 504 seconds ago, and count for up to 60 seconds longer than an hour.
    const answered = turn('other').then((ms) => ({ ms, at: performance.now() }));
    const asked = performance.now();
    await pass(21_000);
    const { ms, at } = await answered;
    expect([at - asked, ms > 3_000_000, ms < 3_671_000]).toEqual([0, true, true]);
  });

  it('are dropped after 20 seconds, and then take nobody else’s turn', async () => {
    const { write, writeMany } = writes();
    const dropped = writeMany(150, 'other');
    await pass(21_000);
    expect(await dropped).toBe(62);
    await pass(51_000);
    const next = writeMany(62, 'other');
    await pass(1_000);
    expect(await next).toBe(62);
    expect(await Promise.race([write('other'), pass(20_001).then(() => 'late')])).toBe(false);
  });

  it('never exceed 80 in any minute nor 500 in any hour, even if each arrives ten seconds late or immediately', async () => {
    const { sent, writeMany } = writes();
    for (let round = 0; round < 300; round += 1) {
      void writeMany(30, 'takeAway');
      await pass(15_000);
    }
    const mostWithin = (ms: number) =>
      Math.max(...sent.map((at) => sent.filter((other) => other >= at && other < at + ms).length));
    expect([mostWithin(70_000), mostWithin(3_610_000)]).toEqual([79, 499]);
  });
});

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
  beforeEach(() => void jest.setSystemTime(0));

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

import { jest } from '@jest/globals';
import type { Stage } from '../../support/fakes.ts';

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Lets every promise that can settle do so. */
const settle = () => new Promise((done) => setImmediate(done));

const MOST_STEPS = 2000;

/**
 * Runs actors that call fakes of one stage, one step at a time: before and after the effect of each call its actor
 * waits, and `choose` says which of the waiting goes on. Time passes only where somebody sleeps. Needs jest's fake
 * timers.
 *
 * @param choose Picks one of `count` that wait; from 0 to `count - 1`.
 * @returns What came of each actor.
 */
export async function interleave(
  stage: Stage,
  actors: (() => Promise<unknown>)[],
  choose: (count: number) => number,
): Promise<PromiseSettledResult<unknown>[]> {
  const waiting: (() => void)[] = [];
  stage.gate = () => new Promise((go) => waiting.push(go));
  let results: PromiseSettledResult<unknown>[] | undefined;
  Promise.allSettled(actors.map((act) => act())).then((settled) => {
    results = settled;
  });
  for (let step = 0; step < MOST_STEPS; step += 1) {
    await settle();
    if (results) break;
    const isSleepChosen = waiting.length > 0 && jest.getTimerCount() > 0 && choose(8) === 0;
    if (waiting.length === 0 || isSleepChosen) await jest.advanceTimersByTimeAsync(50);
    else waiting.splice(choose(waiting.length), 1)[0]?.();
  }
  stage.gate = async () => undefined;
  if (!results) throw new Error('the actors do not come to an end');
  return results;
}

/**
 * Runs one actor up to its `steps`th step and lets it die there: it never goes on.
 *
 * @returns Whether it died; false where it was through before.
 */
export async function dieAfter(stage: Stage, steps: number, act: () => Promise<unknown>): Promise<boolean> {
  let left = steps;
  let isDead = false;
  stage.gate = () => {
    left -= 1;
    if (left >= 0) return Promise.resolve();
    isDead = true;
    return new Promise(() => undefined);
  };
  let isThrough = false;
  act().then(
    () => {
      isThrough = true;
    },
    () => {
      isThrough = true;
    },
  );
  for (let turn = 0; turn < MOST_STEPS && !isDead && !isThrough; turn += 1) await settle();
  stage.gate = async () => undefined;
  return isDead;
}

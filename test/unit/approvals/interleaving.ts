import { AsyncLocalStorage } from 'node:async_hooks';
import { jest } from '@jest/globals';
import type { Stage } from '../../support/fakes.ts';

/** Lets every promise that can settle do so. */
const settle = () => new Promise((done) => setImmediate(done));

/** A signature is verified in another thread, and many steps can pass in which nobody waits. */
const MOST_STEPS = 100_000;

/**
 * Runs actors that call fakes of one stage, one step at a time: before and after the effect of each call its actor
 * waits, and `choose` says which waiting actor continues. Time passes only while an actor sleeps. Needs jest's fake
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
  const all = Promise.allSettled(actors.map((act) => act())).then((settled) => (results = settled));
  for (let step = 0; step < MOST_STEPS; step += 1) {
    await settle();
    if (results) break;
    const isSleepChosen = waiting.length > 0 && jest.getTimerCount() > 0 && choose(8) === 0;
    if (waiting.length === 0 || isSleepChosen) await jest.advanceTimersByTimeAsync(50);
    else waiting.splice(choose(waiting.length), 1)[0]?.();
  }
  stage.gate = async () => undefined;
  if (!results) throw new Error('the actors do not come to an end');
  await all;
  return results;
}

/** Awaits a promise whose work sleeps, moving jest's fake timers. */
export async function patiently<T>(promise: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => (isOver = true);
  promise.then(over, over);
  await until(() => isOver);
  return promise;
}

const acting = new AsyncLocalStorage<'late'>();

/**
 * Lets one caller fall asleep at the `sleepsAt`th step of its way, before or after the effect of a call. While it
 * sleeps, `meanwhile` happens. Then it continues and dies at its `diesAt`th step.
 *
 * @returns How far it came: `asleep` is false if it finished before it would sleep, `dead` if it finished
 *   before it would die.
 */
export async function sleepAndDie(
  stage: Stage,
  late: () => Promise<unknown>,
  options: { sleepsAt: number; diesAt: number; meanwhile: () => Promise<unknown> },
): Promise<{ asleep: boolean; dead: boolean }> {
  const came = { asleep: false, dead: false, through: false };
  let step = 0;
  let wake: () => void = () => undefined;
  const slept = new Promise<void>((done) => {
    wake = done;
  });
  stage.gate = async () => {
    if (acting.getStore() !== 'late') return;
    step += 1;
    if (step === options.sleepsAt) {
      came.asleep = true;
      await slept;
    }
    if (step >= options.diesAt) {
      came.dead = true;
      await new Promise(() => undefined);
    }
  };
  const through = () => (came.through = true);
  acting.run('late', late).then(through, through);
  await until(() => came.asleep || came.through);
  await patiently(options.meanwhile());
  wake();
  await until(() => came.dead || came.through);
  stage.gate = async () => undefined;
  // An enabled AsyncLocalStorage makes every promise of the process slower.
  acting.disable();
  return came;
}

async function until(isSo: () => boolean): Promise<void> {
  for (let step = 0; step < MOST_STEPS && !isSo(); step += 1) {
    await settle();
    if (!isSo() && jest.getTimerCount() > 0) await jest.advanceTimersByTimeAsync(50);
  }
}

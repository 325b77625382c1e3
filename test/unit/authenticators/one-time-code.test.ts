import { describe, expect, it } from '@jest/globals';
import { consumeOneTimeCode, secondsLocked } from '../../../src/authenticators/codes/one-time-code.ts';
import type { AppError } from '../../../src/shared/app-error.ts';
import { CodeApp } from '../../support/authenticator.ts';
import { codeOf } from '../../support/code-of.ts';
import { aTotpApp } from '../../support/fakes.ts';
import { world as emptyWorld } from './world.ts';

const LOCKED = { kind: 'codesLocked', userId: 'mona', data: { org: 'octo-org' } };
const DAY_MS = 24 * 60 * 60_000;

async function world() {
  const stores = await emptyWorld();
  const app = new CodeApp(aTotpApp().secret);
  stores.totpApps.stored.push(aTotpApp());
  const right = () => app.codeAt(stores.clock.now().getTime());
  const w = {
    ...stores,
    right,
    enter: (code: string) =>
      consumeOneTimeCode(stores, { userId: 'mona', org: { id: 'org', name: 'octo-org' }, code }),
    wrong: () => w.enter('not one'),
    /** Enters wrong codes, with a pause after each that is longer than any lock. */
    async fail(times: number) {
      for (let count = 0; count < times; count += 1) {
        stores.clock.pass(DAY_MS);
        expect(await codeOf(w.wrong())).toBe('wrongCode');
      }
    },
  };
  return w;
}

describe('wrong one-time codes', () => {
  it.each(Object.entries({ 4: 0, 5: 1, 15: 3, 100: 20 }))(
    'send, after %d without a right one, %d messages to the person',
    async (count, messages) => {
      const w = await world();
      await w.fail(Number(count));
      const message = { ...LOCKED, to: '', tries: 0 };
      expect(w.notices.stored).toMatchObject(Array(messages).fill(message));
      if (count === '5') expect(w.notices.stored[0]?.due).toEqual(w.clock.now());
    },
  );

  it('say how many are left, and the code that locks codes says for how long', async () => {
    const w = await world();
    const left = () => w.wrong().catch(({ triesLeft, retryAfter }: AppError) => [triesLeft, retryAfter]);
    for (const tries of [4, 3, 2, 1]) expect(await left()).toEqual([tries, undefined]);
    expect(await left()).toEqual([0, 5 * 60]);
    expect(await left()).toEqual([undefined, 5 * 60]);
  });

  it('are counted from zero after a right one', async () => {
    const w = await world();
    await w.fail(4);
    await w.enter(` ${w.right()} `);
    await w.fail(4);
    expect(w.notices.stored).toEqual([]);
    await w.fail(1);
    expect(w.notices.stored).toHaveLength(1);
  });

  it('send one message if many come simultaneously', async () => {
    const w = await world();
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => codeOf(w.wrong())));
    expect(outcomes.filter((outcome) => outcome === 'wrongCode')).toHaveLength(5);
    expect(w.notices.stored).toHaveLength(1);
  });

  it('count even if the message cannot be queued', async () => {
    const w = await world();
    await w.fail(4);
    w.stage.fail('notices.add', 'storeUnavailable');
    expect(await codeOf(w.wrong())).toBe('storeUnavailable');
    expect(await codeOf(w.wrong())).toBe('tooManyCodes');
  });
});

describe('a right one-time code', () => {
  it.each([2, 24])(
    'is used once and locks nothing if it comes %d times at the same moment',
    async (times) => {
      const w = await world();
      await w.fail(4);
      w.clock.pass(DAY_MS);
      const outcomes = await Promise.all(Array.from({ length: times }, () => codeOf(w.enter(w.right()))));
      expect(outcomes.sort()).toEqual(['passes', ...Array(times - 1).fill('usedCode')]);
      w.clock.pass(30_000);
      expect(await codeOf(w.enter(w.right()))).toBe('passes');
    },
  );

  it('that was used before is no wrong one, and no way to forget wrong ones', async () => {
    const w = await world();
    const used = w.right();
    await w.enter(used);
    for (const left of [4, 3, 2, 1]) {
      expect(await w.wrong().catch(({ triesLeft }: AppError) => triesLeft)).toBe(left);
      expect(await codeOf(w.enter(used))).toBe('usedCode');
    }
    expect(await codeOf(w.wrong())).toBe('wrongCode');
    expect(await codeOf(w.enter(used))).toBe('tooManyCodes');
  });

  it('is refused with the seconds until the next one, if the app still shows it', async () => {
    const w = await world();
    const waits = async (code: string) =>
      ((await w.enter(code).catch((error: AppError) => error)) as AppError).retryAfter;
    w.clock.pass(30_000 - (w.clock.now().getTime() % 30_000) + 12_500);
    const code = w.right();
    await w.enter(code);
    expect(await waits(code)).toBe(18);
    w.clock.pass(18_000);
    expect(await waits(code)).toBeUndefined();
  });

  it('is refused while codes are locked', async () => {
    const w = await world();
    await w.fail(5);
    expect(await codeOf(w.enter(w.right()))).toBe('tooManyCodes');
    w.clock.pass(5 * 60_000);
    expect(await codeOf(w.enter(w.right()))).toBe('passes');
  });
});

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

import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../../src/app-error.ts';
import { spendOneTimeCode } from '../../../src/authenticators/one-time-code.ts';
import { CodeApp } from '../../support/authenticators.ts';
import { fakeStores } from '../../support/fakes.ts';

const LOCKED = { kind: 'codesLocked', userId: 'mona', data: { org: 'octo-org' } };
const DAY_MS = 24 * 60 * 60_000;

function world() {
  const stores = fakeStores();
  const secret = new Uint8Array(20).map((_, at) => at + 1);
  const app = new CodeApp(secret);
  stores.totpApps.stored.push({ id: 'app', userId: 'mona', orgRecordId: 'org', label: 'App', secret });
  const right = () => app.codeAt(stores.clock.now().getTime());
  const w = {
    ...stores,
    right,
    spend: (code: string) =>
      spendOneTimeCode(stores, { userId: 'mona', org: { id: 'org', name: 'octo-org' }, code }),
    wrong: () => w.spend('not one'),
    /** So many wrong codes, each as soon as it is looked at. */
    async fail(times: number) {
      for (let count = 0; count < times; count += 1) {
        stores.clock.pass(DAY_MS);
        expect(await codeOf(w.wrong())).toBe('wrongCode');
      }
    },
  };
  return w;
}

const codeOf = (asking: Promise<unknown>) =>
  asking.then(
    () => 'passes',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

describe('wrong one-time codes', () => {
  it.each([
    [4, 0],
    [5, 1],
    [9, 1],
    [10, 2],
    [14, 2],
    [15, 3],
    [100, 20],
  ])('after %d in a row the person was told %d times', async (count, told) => {
    const w = world();
    await w.fail(count);
    expect(w.notices.stored).toHaveLength(told);
  });

  it('are told of in words that name the organization, at once', async () => {
    const w = world();
    await w.fail(5);
    expect(w.notices.stored).toMatchObject([{ ...LOCKED, to: '', tries: 0, due: w.clock.now() }]);
  });

  it('that are not looked at any more tell nothing', async () => {
    const w = world();
    await w.fail(5);
    for (let tries = 0; tries < 20; tries += 1) expect(await codeOf(w.wrong())).toBe('tooManyCodes');
    expect(w.notices.stored).toHaveLength(1);
  });

  it('begin anew after a right one', async () => {
    const w = world();
    await w.fail(4);
    await w.spend(w.right());
    await w.fail(4);
    expect(w.notices.stored).toEqual([]);
    await w.fail(1);
    expect(w.notices.stored).toHaveLength(1);
  });

  it('tell once, however many come at the same moment', async () => {
    const w = world();
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => codeOf(w.wrong())));
    expect(outcomes.filter((outcome) => outcome === 'wrongCode')).toHaveLength(5);
    expect(w.notices.stored).toHaveLength(1);
  });

  it('of a person without an app tell nothing', async () => {
    const w = world();
    w.totpApps.stored.splice(0);
    for (let tries = 0; tries < 6; tries += 1) expect(await codeOf(w.wrong())).toBe('missingAuthenticator');
    expect(w.notices.stored).toEqual([]);
  });

  it('count also where nobody can be told', async () => {
    const w = world();
    await w.fail(4);
    w.stage.fail('notices.add', new AppError('storeUnavailable'));
    expect(await codeOf(w.wrong())).toBe('storeUnavailable');
    expect(await codeOf(w.wrong())).toBe('tooManyCodes');
  });
});

describe('a right one-time code', () => {
  it('tells nobody, also after four wrong ones', async () => {
    const w = world();
    await w.fail(4);
    w.clock.pass(DAY_MS);
    expect(await w.spend(` ${w.right()} `)).toMatchObject({ id: 'app' });
    expect(w.notices.stored).toEqual([]);
  });

  it('that was used already is neither taken nor told of', async () => {
    const w = world();
    await w.spend(w.right());
    for (let tries = 0; tries < 5; tries += 1) expect(await codeOf(w.spend(w.right()))).toBe('usedCode');
    expect(w.notices.stored).toEqual([]);
  });

  it('is not looked at while codes are locked', async () => {
    const w = world();
    await w.fail(5);
    expect(await codeOf(w.spend(w.right()))).toBe('tooManyCodes');
    w.clock.pass(5 * 60_000);
    expect(await codeOf(w.spend(w.right()))).toBe('passes');
  });
});

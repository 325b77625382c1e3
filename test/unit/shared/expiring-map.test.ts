import { describe, expect, it } from '@jest/globals';
import { createExpiringMap, createReadOnce } from '../../../src/shared/expiring-map.ts';
import { FakeClock } from '../../support/fakes/stage.ts';

it('forgets each value at its own time, which begins again if it is set again', () => {
  const clock = new FakeClock();
  const map = createExpiringMap<number>(clock, 10);
  const known = () => ['once', 'again'].map((key) => map.get(key));
  map.set('once', 1);
  map.set('again', 2);
  clock.pass(9);
  map.set('again', 3);
  expect(known()).toEqual([1, 3]);
  clock.pass(1);
  expect(known()).toEqual([undefined, 3]);
  clock.pass(9);
  expect(known()).toEqual([undefined, undefined]);
});

it('drops the values that were used longest ago if strangers fill it', () => {
  const map = createExpiringMap<number>(new FakeClock(), 10);
  map.set('used', 1);
  map.set('unused', 2);
  for (let count = 0; count < 200_000; count += 1) {
    map.get('used');
    map.set(`stranger-${count}`, count);
  }
  expect([map.get('used'), map.get('unused'), map.size]).toEqual([1, undefined, 100_000]);
});

const HOUR_MS = 60 * 60_000;

it.each([HOUR_MS, -HOUR_MS])('is not moved by a clock that is set by %d ms and right again', (ms) => {
  const clock = new FakeClock();
  const map = createExpiringMap<string>(clock, 10);
  map.set('before', 'kept');
  clock.set(ms);
  expect(map.get('before')).toBe('kept');
  map.set('during', 'kept');
  clock.set(-ms);
  clock.pass(9);
  expect([map.get('before'), map.get('during')]).toEqual(['kept', 'kept']);
  clock.pass(1);
  expect([map.get('before'), map.get('during')]).toEqual([undefined, undefined]);
});

describe('a reading', () => {
  it('is shared while it is under way and while it is remembered, even if it found nothing', async () => {
    const clock = new FakeClock();
    const once = createReadOnce<void>(clock, 10);
    let reads = 0;
    const read = async () => {
      reads += 1;
    };
    await Promise.all([once('a', read), once('a', read), once('b', read)]);
    clock.pass(9);
    await once('a', read);
    expect(reads).toBe(2);
    clock.pass(1);
    await once('a', read);
    expect(reads).toBe(3);
  });

  it('that fails is not remembered, and fails for everyone who waits for it', async () => {
    const once = createReadOnce<number>(new FakeClock(), 10);
    const failing = () => Promise.reject(new Error('away'));
    const both = await Promise.allSettled([once('a', failing), once('a', async () => 1)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await once('a', async () => 2)).toBe(2);
  });
});

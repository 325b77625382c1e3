import { expect, it } from '@jest/globals';
import { createExpiringMap } from '../../../src/shared/expiring-map.ts';
import { FakeClock } from '../../support/fakes/stage.ts';

it('forgets each value at its own time, no matter which was set first', () => {
  let ms = 0;
  const map = createExpiringMap<number>({ now: () => new Date(ms) });
  const known = () => ['long', 'short', 'again'].map((key) => map.get(key));
  map.set('again', 1, 10);
  map.set('long', 2, 100);
  map.set('short', 3, 10);
  ms = 9;
  map.set('again', 4, 10);
  expect(known()).toEqual([2, 3, 4]);
  ms = 10;
  expect(known()).toEqual([2, undefined, 4]);
  ms = 19;
  expect(known()).toEqual([2, undefined, undefined]);
  ms = 100;
  expect(known()).toEqual([undefined, undefined, undefined]);
});

const HOUR_MS = 60 * 60_000;

it.each([HOUR_MS, -HOUR_MS])('is not moved by a clock that is set by %d ms and right again', (ms) => {
  const clock = new FakeClock();
  const map = createExpiringMap<string>(clock);
  map.set('before', 'kept', 10);
  clock.set(ms);
  expect(map.get('before')).toBe('kept');
  map.set('during', 'kept', 10);
  clock.set(-ms);
  clock.pass(9);
  expect([map.get('before'), map.get('during')]).toEqual(['kept', 'kept']);
  clock.pass(1);
  expect([map.get('before'), map.get('during')]).toEqual([undefined, undefined]);
});

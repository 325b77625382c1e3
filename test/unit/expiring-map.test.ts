import { expect, it } from '@jest/globals';
import { createExpiringMap } from '../../src/expiring-map.ts';

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

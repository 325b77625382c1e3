import { LRUCache } from 'lru-cache';
import { type Clock, elapsed } from './clock.ts';

/** A full map drops the value that was used longest ago, so that strangers can't fill the memory. */
const MOST = 100_000;

/** Remembers values for this time by the clock that is passed in, even if the system's time is changed. */
export const createExpiringMap = <T extends object | string | number | true>(clock: Clock, ms: number) =>
  new LRUCache<string, T>({
    // lru-cache takes a time of 0 for none, and keeps a value until its last millisecond has passed.
    perf: { now: () => 1 + elapsed(clock) },
    ttl: ms - 1,
    ttlResolution: 0,
    // With `max`, it would take the memory of all values immediately.
    maxSize: MOST,
    sizeCalculation: () => 1,
  });

/**
 * Reads something at most once in a while for each key, counted from when the reading began. A failed read isn't
 * remembered.
 */
export function createReadOnce<T>(clock: Clock, ms: number) {
  const known = createExpiringMap<Promise<T>>(clock, ms);
  return (key: string, read: () => Promise<T>): Promise<T> => {
    const before = known.get(key);
    if (before) return before;
    const reading = read();
    known.set(key, reading);
    reading.catch(() => known.delete(key));
    return reading;
  };
}

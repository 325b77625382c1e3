import { type Clock, elapsed } from './clock.ts';

/**
 * Remembers values for a limited time, by the clock that is passed in, even if the system's time is changed. An expired
 * value that was set after one that lives longer is forgotten together with it.
 */
export function createExpiringMap<T>(clock: Clock) {
  const entries = new Map<string, { value: T; until: number }>();
  const dropExpired = () => {
    const now = elapsed(clock);
    for (const [key, { until }] of entries) {
      if (until > now) break;
      entries.delete(key);
    }
    return now;
  };
  return {
    /** Undefined if there is no such value, or if it has expired. */
    get(key: string): T | undefined {
      const now = dropExpired();
      const entry = entries.get(key);
      return entry && entry.until > now ? entry.value : undefined;
    },
    set(key: string, value: T, ms: number): void {
      const now = dropExpired();
      // A map keeps the first position of a key, and the newest value has to be the last.
      entries.delete(key);
      entries.set(key, { value, until: now + ms });
    },
    delete(key: string): void {
      entries.delete(key);
    },
  };
}

/** Reads something at most once in a while for each key. A failed read isn't remembered. */
type ReadOnce<T> = (key: string, read: () => Promise<T>) => Promise<T>;

export function createReadOnce<T>(clock: Clock, ms: number): ReadOnce<T> {
  const known = createExpiringMap<Promise<T>>(clock);
  return (key, read) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const reading = read();
    known.set(key, reading, ms);
    reading.catch(() => known.delete(key));
    return reading;
  };
}

import type { Clock } from './clock.ts';

/** Remembers values for a limited time, by the clock that is passed in. */
export type ExpiringMap<T> = {
  /** Undefined if there is no such value, or if it has expired. */
  get(key: string): T | undefined;
  set(key: string, value: T, ms: number): void;
  delete(key: string): void;
};

export function createExpiringMap<T>(clock: Clock): ExpiringMap<T> {
  const entries = new Map<string, { value: T; until: number }>();
  const dropExpired = () => {
    const now = clock.now().getTime();
    for (const [key, { until }] of entries) if (until <= now) entries.delete(key);
  };
  return {
    get(key) {
      dropExpired();
      return entries.get(key)?.value;
    },
    set(key, value, ms) {
      dropExpired();
      entries.set(key, { value, until: clock.now().getTime() + ms });
    },
    delete(key) {
      entries.delete(key);
    },
  };
}

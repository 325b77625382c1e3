import type { KeyValueStore } from '../../../web/src/lib/local-store.ts';

/** Local storage in memory. */
export function fakeLocal(
  initial: Record<string, string> = {},
): KeyValueStore & { all: Map<string, string> } {
  const all = new Map(Object.entries(initial));
  return {
    all,
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => void all.set(key, value),
    removeItem: (key) => void all.delete(key),
  };
}

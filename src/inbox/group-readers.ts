import type { Reader } from './ports.ts';

export type Readers = [Reader, ...Reader[]];

/** The readers with the same key together, in the order of the first of each. */
export function groupReaders(readers: Reader[], keyOf: (reader: Reader) => string): Readers[] {
  const groups = new Map<string, Readers>();
  for (const reader of readers) {
    const group = groups.get(keyOf(reader));
    if (group) group.push(reader);
    else groups.set(keyOf(reader), [reader]);
  }
  return [...groups.values()];
}

/** Repeatable choices: the same seed makes the same ones. */
export type Picker = {
  below(end: number): number;
  chance(probability: number): boolean;
  /** One of the list; undefined if it's empty. */
  one<T>(list: readonly T[]): T;
};

/** Mulberry32: too weak for secrets, and good enough for choices. */
export function createPicker(seed: number): Picker {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    chance: (probability) => next() < probability,
    one: (list) => list[below(list.length)] as never,
  };
}

/** A list of words, written as one text. */
export const words = (text: string): string[] => text.split(/\s+/);

import { seeded } from '../support/seeded.ts';

/** Repeatable choices: the same seed makes the same ones. */
export type Picker = {
  below(end: number): number;
  chance(probability: number): boolean;
  /** One of the list; undefined if it's empty. */
  one<T>(list: readonly T[]): T;
};

export function createPicker(seed: number): Picker {
  const next = seeded(seed);
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    chance: (probability) => next() < probability,
    one: (list) => list[below(list.length)] as never,
  };
}

/** A list of words, written as one text. */
export const words = (text: string): string[] => text.split(/\s+/);

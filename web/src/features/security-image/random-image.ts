import type { SecurityImage } from '../../../../src/contract/image.ts';

/** Fills an array with random values, like `crypto.getRandomValues`. */
export type Fill = (values: Uint32Array<ArrayBuffer>) => unknown;

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const NAME_LENGTH = 20;
const RANGE = 2 ** 32;

const fromCrypto: Fill = (values) => crypto.getRandomValues(values);

/** A uniformly random integer below `limit`. Values past the last multiple of `limit` are rejected: they would bias it. */
export function randomBelow(limit: number, fill: Fill = fromCrypto): number {
  const values = new Uint32Array(1);
  for (;;) {
    fill(values);
    const [value = 0] = values;
    if (value < RANGE - (RANGE % limit)) return value % limit;
  }
}

/** A random name, the seed from which an image is drawn. */
export const randomName = (fill?: Fill): string =>
  Array.from(
    { length: NAME_LENGTH },
    () => LETTERS_AND_DIGITS[randomBelow(LETTERS_AND_DIGITS.length, fill)],
  ).join('');

/** A random palette of five colours. */
export const randomPalette = (palettes: readonly string[][], fill?: Fill): string[] =>
  palettes[randomBelow(palettes.length, fill)] ?? [];

/** All variants, in the order in which the page offers them. */
export const VARIANTS = [
  'marble',
  'beam',
  'pixel',
  'ring',
  'bauhaus',
] as const satisfies SecurityImage['variant'][];

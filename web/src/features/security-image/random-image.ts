import type { SecurityImage } from '../../../../src/contract/image.ts';

/** Fills an array with random values, as `crypto.getRandomValues` does. */
export type Fill = (values: Uint32Array<ArrayBuffer>) => unknown;

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const NAME_LENGTH = 20;
const ALL = 2 ** 32;

const fromCrypto: Fill = (values) => crypto.getRandomValues(values);

/** A whole number from 0 to below `limit`, each as likely: values of the last, incomplete round are thrown away. */
export function randomBelow(limit: number, fill: Fill = fromCrypto): number {
  const values = new Uint32Array(1);
  for (;;) {
    fill(values);
    const [value = 0] = values;
    if (value < ALL - (ALL % limit)) return value % limit;
  }
}

/** The text that an image is drawn from. */
export const randomName = (fill?: Fill): string =>
  Array.from(
    { length: NAME_LENGTH },
    () => LETTERS_AND_DIGITS[randomBelow(LETTERS_AND_DIGITS.length, fill)],
  ).join('');

/** Five colours that go together. */
export const randomPalette = (palettes: readonly string[][], fill?: Fill): string[] =>
  palettes[randomBelow(palettes.length, fill)] ?? [];

/** All the ways to draw, in the order in which they are offered. */
export const VARIANTS = [
  'marble',
  'beam',
  'pixel',
  'ring',
  'bauhaus',
] as const satisfies SecurityImage['variant'][];

/** Reads what the tab kept; null where it is no image. */
export function readImage(kept: unknown): SecurityImage | null {
  const { name, colors, variant } = (kept ?? {}) as Partial<SecurityImage>;
  const known = VARIANTS.find((one) => one === variant);
  const whole = typeof name === 'string' && name.length === NAME_LENGTH && Array.isArray(colors);
  return known && whole && colors.length === 5 ? { name, colors: colors.map(String), variant: known } : null;
}

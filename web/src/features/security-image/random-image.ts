import type { SecurityImage } from '../../../../src/contract/image.ts';

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const NAME_LENGTH = 20;

/** A random integer below `limit`. Its bias is less than one in ten million, which no picture shows. */
const randomBelow = (limit: number): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % limit;

/** A random name, from which an image is drawn. */
export const randomName = (): string =>
  Array.from({ length: NAME_LENGTH }, () => LETTERS_AND_DIGITS[randomBelow(LETTERS_AND_DIGITS.length)]).join(
    '',
  );

/** A random palette of five colours. */
export const randomPalette = (palettes: readonly string[][]): string[] =>
  palettes[randomBelow(palettes.length)] ?? [];

/** All variants, in the order in which the page offers them. */
export const VARIANTS = [
  'marble',
  'beam',
  'pixel',
  'ring',
  'bauhaus',
] as const satisfies SecurityImage['variant'][];

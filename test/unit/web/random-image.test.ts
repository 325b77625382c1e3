import { describe, expect, test } from '@jest/globals';
import { imageVariants } from '../../../src/contract/image.ts';
import {
  type Fill,
  randomBelow,
  randomName,
  readImage,
  VARIANTS,
} from '../../../web/src/features/security-image/random-image.ts';

/** Yields these values instead of random ones. */
function fixed(...values: number[]): Fill {
  return (array) => array.set([values.shift() ?? 0]);
}

describe('a random number below a limit', () => {
  test('rejects the values that would bias it', () => {
    const lastWhole = 2 ** 32 - (2 ** 32 % 62) - 1;
    expect(randomBelow(62, fixed(lastWhole))).toBe(61);
    expect(randomBelow(62, fixed(lastWhole + 1, 2 ** 32 - 1, 5))).toBe(5);
  });

  test('can be every number below the limit and no other', () => {
    const seen = new Set(Array.from({ length: 500 }, () => randomBelow(5)));
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('the random name of an image', () => {
  test('has 20 letters and digits and is different each time', () => {
    const names = Array.from({ length: 50 }, () => randomName());
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9]{20}$/);
    expect(new Set(names).size).toBe(50);
  });
});

describe('an image stored in the tab', () => {
  const image = { name: 'abcdefghijABCDEFGHIJ', colors: ['a', 'b', 'c', 'd', 'e'], variant: 'ring' };

  test('is restored', () => expect(readImage(image)).toEqual(image));

  test.each([
    null,
    'text',
    {},
    { ...image, variant: 'sunset' },
    { ...image, name: 'short' },
    { ...image, colors: ['a'] },
    { ...image, colors: 'abcde' },
  ])('is ignored if it is %j', (stored) => {
    expect(readImage(stored)).toBeNull();
  });
});

test('the browser and the server draw the same variants of an image', () => {
  expect(VARIANTS).toEqual(imageVariants);
});

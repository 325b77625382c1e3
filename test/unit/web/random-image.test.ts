import { describe, expect, test } from '@jest/globals';
import { imageVariants } from '../../../src/contract/image.ts';
import {
  type Fill,
  randomBelow,
  randomName,
  readImage,
  VARIANTS,
} from '../../../web/src/features/security-image/random-image.ts';

/** Random values that are known beforehand. */
function fixed(...values: number[]): Fill {
  return (array) => array.set([values.shift() ?? 0]);
}

describe('randomBelow', () => {
  test('throws away what would make the first numbers likelier', () => {
    const lastWhole = 2 ** 32 - (2 ** 32 % 62) - 1;
    expect(randomBelow(62, fixed(lastWhole))).toBe(61);
    expect(randomBelow(62, fixed(lastWhole + 1, 2 ** 32 - 1, 5))).toBe(5);
  });

  test('reaches every number and no other', () => {
    const seen = new Set(Array.from({ length: 500 }, () => randomBelow(5)));
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('randomName', () => {
  test('is 20 letters and digits, and another one each time', () => {
    const names = Array.from({ length: 50 }, () => randomName());
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9]{20}$/);
    expect(new Set(names).size).toBe(50);
  });
});

describe('readImage', () => {
  const image = { name: 'abcdefghijABCDEFGHIJ', colors: ['a', 'b', 'c', 'd', 'e'], variant: 'ring' };

  test('reads what was kept', () => {
    expect(readImage(image)).toEqual(image);
  });

  test.each([
    null,
    'text',
    {},
    { ...image, variant: 'sunset' },
    { ...image, name: 'short' },
    { ...image, colors: ['a'] },
    { ...image, colors: 'abcde' },
  ])('takes %j for nothing', (kept) => {
    expect(readImage(kept)).toBeNull();
  });
});

test('the browser draws an image in the same ways as the server', () => {
  expect(VARIANTS).toEqual(imageVariants);
});

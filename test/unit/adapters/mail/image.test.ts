import { describe, expect, it } from '@jest/globals';
import { Resvg } from '@resvg/resvg-wasm';
import { drawImage } from '../../../../src/adapters/mail/image.ts';
import { imageVariants, type SecurityImage } from '../../../../src/contract/image.ts';

const image = (change: Partial<SecurityImage> = {}): SecurityImage => ({
  name: 'abcDEF123ghiJKL456mn',
  colors: ['#69d2e7', '#a7dbd8', '#e0e4cc', '#f38630', '#fa6900'],
  variant: 'marble',
  ...change,
});

/** The width and height in a PNG's header (PNG, sections 5.2 and 11.2.2). */
function sizeOf(png: Uint8Array): [width: number, height: number] {
  const bytes = Buffer.from(png);
  expect([...bytes.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  expect(bytes.toString('latin1', 12, 16)).toBe('IHDR');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

/** The pixels of a PNG, four bytes each: red, green, blue, alpha. */
function pixelsOf(png: Uint8Array): string[] {
  const href = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="192" height="192"><image href="${href}" width="192" height="192"/></svg>`;
  const bytes = Buffer.from(new Resvg(svg).render().pixels);
  return Array.from({ length: bytes.length / 4 }, (_, index) =>
    bytes.toString('hex', index * 4, index * 4 + 4),
  );
}

describe('a security image as PNG', () => {
  it.each(imageVariants)('%s has its size, colors in the middle and empty corners', async (variant) => {
    const png = await drawImage(image({ variant }));
    expect(sizeOf(png)).toEqual([192, 192]);
    const pixels = pixelsOf(png);
    expect(pixels).toHaveLength(192 * 192);
    const opaque = pixels.filter((pixel) => pixel.endsWith('ff'));
    // A circle in its square covers 78.5 %.
    expect(opaque.length / pixels.length).toBeGreaterThan(0.76);
    expect(new Set(opaque).size).toBeGreaterThan(2);
    for (const corner of [0, 191, 192 * 191, 192 * 192 - 1]) expect(pixels[corner]).toMatch(/00$/);
  });

  it('differs with the variant, the name and the colors', async () => {
    const colors = ['#111111', '#333333', '#555555', '#777777', '#999999'];
    const all = await Promise.all([
      ...imageVariants.map((variant) => drawImage(image({ variant }))),
      drawImage(image({ name: 'Z9y8X7w6V5u4T3s2R1q0' })),
      drawImage(image({ colors })),
    ]);
    expect(new Set(all.map((png) => Buffer.from(png).toString('base64'))).size).toBe(all.length);
  });

  it('is drawn many times in the same memory', async () => {
    await drawImage(image({ variant: 'beam' }));
    const before = process.memoryUsage().external;
    for (let count = 0; count < 60; count += 1) await drawImage(image({ variant: 'beam' }));
    const after = process.memoryUsage().external;
    expect(after - before).toBeLessThan(5 * 1024 * 1024);
  });
});

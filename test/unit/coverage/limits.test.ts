import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { imageVariants } from '../../../src/contract/image.ts';
import { VARIANTS } from '../../../web/src/features/security-image/random-image.ts';
import { draw, load } from './dashboard.ts';

const palettes: string[][] = createRequire(import.meta.url)('nice-color-palettes/500.json');
const ROOT_PX = 16;
const style = (path: string) => readFileSync(join(import.meta.dirname, '../../../web/src', path), 'utf8');
const pixels = (rem: string | undefined) => Number(rem) * ROOT_PX;

describe('sizes', () => {
  test('the QR code is 384 pixels wide and high', async () => {
    const { QrCode } = await load('features/registration/qr-code.tsx');
    const html = await draw(QrCode as never, { text: 'otpauth://totp/x', name: 'QR code' } as never);
    expect(html).toContain('width="384" height="384"');
  });

  test('a page is 384 pixels wide, 24 of the browser’s units', () => {
    expect(pixels(/--column: (\d+)rem/.exec(style('styles/tokens.css'))?.[1])).toBe(384);
  });

  test('a security image to choose from is 48 pixels wide, as one to know again', async () => {
    const sizes = style('components/security-image.module.css');
    expect(pixels(/\.medium \{\s*width: (\d+)rem/.exec(sizes)?.[1])).toBe(48);
    const { Variants } = await load('features/security-image/variants.tsx');
    const choice = { name: 'abcdefghijABCDEFGHIJ', colors: Array(5).fill('#000000'), variant: 'ring' };
    const html = await draw(Variants as never, { choice, onChange: () => undefined } as never);
    expect(html.match(/class="place medium"/g)).toHaveLength(5);
  });
});

describe('security images', () => {
  test('choose from five hundred palettes of five colours', () => {
    expect(palettes).toHaveLength(500);
    expect(
      palettes.every((colors) => colors.length === 5 && colors.every((one) => /^#[0-9a-f]{6}$/i.test(one))),
    ).toBe(true);
  });

  test('are drawn in the same ways in the browser and on the server', () => {
    expect(VARIANTS).toEqual(imageVariants);
  });
});

import { describe, expect, it } from '@jest/globals';
import { parseSecret, stepOfCode } from '../../../src/authenticators/totp.ts';

const SECRET = new TextEncoder().encode('12345678901234567890');

describe('a code of RFC 6238, appendix B (SHA-1, its last six digits)', () => {
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('at %i s is %s, for its step and one on each side', (seconds, code) => {
    const step = Math.floor(seconds / 30);
    for (const [off, found] of [
      [-60, null],
      [-30, step],
      [0, step],
      [30, step],
      [60, null],
    ] as const) {
      expect([off, stepOfCode(SECRET, code, new Date((seconds + off) * 1000))]).toEqual([off, found]);
    }
  });

  it.each([
    '',
    '28708',
    '2870822',
    '２８７０８２',
    '٢٨٧٠٨٢',
    ' 287082',
    '287082\n',
    '28708a',
    '-87082',
    '1e5000',
  ])('is not %j', (code) => {
    expect(stepOfCode(SECRET, code, new Date(59_000))).toBeNull();
  });

  it('throws for no text at all', () => {
    let seed = 1;
    const random = () => {
      seed = (seed * 48271) % 2147483647;
      return seed;
    };
    for (let round = 0; round < 20_000; round += 1) {
      const text = String.fromCodePoint(
        ...Array.from({ length: random() % 9 }, () => (random() % 0xd7ff) + 1),
      );
      expect(() => stepOfCode(SECRET, text, new Date(59_000))).not.toThrow();
      expect(() => parseSecret(text)).not.toThrow();
    }
  });
});

describe('a secret', () => {
  it.each([
    ['JBSWY3DPEHPK3PXPJBSWY3DPEE', 16],
    ['jbsw y3dp ehpk 3pxp jbsw y3dp ee', 16],
    ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJR', 20],
  ])('is read from base32, however it is grouped: %s', (text, length) => {
    expect(parseSecret(text)?.length).toBe(length);
  });

  it.each([
    '',
    'A'.repeat(24),
    'A'.repeat(26),
    'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    '0189',
    'A'.repeat(200),
    'ABCD!',
  ])('is refused where it is short, long, one pattern or no base32: %s', (text) => {
    expect(parseSecret(text)).toBeNull();
  });
});

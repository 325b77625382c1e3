import { describe, expect, it } from '@jest/globals';
import { Secret } from 'otpauth';
import { parseSecret, stepOfCode } from '../../../src/authenticators/codes/totp.ts';

const SECRET = new TextEncoder().encode('12345678901234567890');

describe('a code of RFC 6238, appendix B (SHA-1, its last six digits)', () => {
  it.each(
    Object.entries({ 59: '287082', 1111111109: '081804', 2000000000: '279037', 20000000000: '353130' }),
  )('at %s s is %s, which is accepted one step earlier and later', (time, code) => {
    const seconds = Number(time);
    const step = Math.floor(seconds / 30);
    const found = [-60, -30, 0, 30, 60].map((off) =>
      stepOfCode(SECRET, code, new Date((seconds + off) * 1000)),
    );
    expect(found).toEqual([null, step, step, step, null]);
  });

  it.each(['', '28708', '2870822', '２８７０８２', '287082\n', '28708a', '1e5000'])('is not %j', (code) => {
    expect(stepOfCode(SECRET, code, new Date(59_000))).toBeNull();
  });
});

describe('a secret', () => {
  it.each([
    ['JBSWY3DPEHPK3PXPJBSWY3DPEE', 16],
    ['jbsw y3dp ehpk 3pxp jbsw y3dp ee', 16],
    ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJR', 20],
  ])('is read from base32 in any case and grouping: %s', (text, length) => {
    expect(parseSecret(text)?.length).toBe(length);
  });

  it.each(['', 'A'.repeat(26), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', '0189', 'A'.repeat(200), 'ABCD!'])(
    'is refused if it is weak or not base32: %s',
    (text) => {
      expect(parseSecret(text)).toBeNull();
    },
  );

  it.each(Object.entries({ 15: null, 16: 16, 64: 64, 65: null }))(
    'of %d bytes is accepted only from 16 bytes, which nobody can guess, to 64',
    (length, found) => {
      const { base32 } = new Secret({ buffer: new Uint8Array(Number(length)).map((_, at) => at).buffer });
      expect(parseSecret(base32)?.length ?? null).toBe(found);
    },
  );
});

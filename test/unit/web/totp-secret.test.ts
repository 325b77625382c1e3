import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { totp } from '../../../src/contract/authenticators.ts';
import {
  createTotpSecret,
  groupByFour,
  totpFromBytes,
} from '../../../web/src/features/registration/totp-secret.ts';

afterEach(() => void jest.restoreAllMocks());

const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe('the otpauth URI', () => {
  test('follows Google Authenticator’s key URI format', () => {
    const { secret, uri } = totpFromBytes(
      Uint8Array.from({ length: 16 }, (_, index) => index),
      'mona',
      'octo-org',
    );
    expect(secret).toBe('AAAQEAYEAUDAOCAJBIFQYDIOB4');
    expect(uri).toBe(
      'otpauth://totp/OTP%20Guard:mona%40octo-org%2Fgithub?issuer=OTP%20Guard&secret=AAAQEAYEAUDAOCAJBIFQYDIOB4&algorithm=SHA1&digits=6&period=30',
    );
  });

  test('encodes names so that they cannot add parameters', () => {
    const { uri } = totpFromBytes(bytesOf('x'.repeat(16)), 'a&secret=B?:#', 'o/ü 🙂');
    const { pathname, searchParams, hash } = new URL(uri);
    expect(decodeURIComponent(pathname).endsWith('OTP Guard:a&secret=B?:#@o/ü 🙂/github')).toBe(true);
    expect([...searchParams.keys()]).toEqual(['issuer', 'secret', 'algorithm', 'digits', 'period']);
    expect(hash).toBe('');
  });

  test('has the parameters that the server verifies with', () => {
    const { searchParams } = new URL(createTotpSecret('mona', 'octo-org').uri);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      issuer: totp.issuer,
      algorithm: totp.algorithm,
      digits: String(totp.digits),
      period: String(totp.period),
    });
  });
});

describe('a new secret', () => {
  test('is 16 random bytes, different each time', () => {
    const secrets = Array.from({ length: 50 }, () => createTotpSecret('mona', 'octo-org').secret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{26}$/);
  });

  test('is shown in groups of four', () => {
    expect(groupByFour('AAAQEAYEAUDAOCAJBIFQYDIOB4')).toBe('AAAQ EAYE AUDA OCAJ BIFQ YDIO B4');
  });
});

// RFC 6238, appendix B: the secret for SHA-1, and the last six of its eight digits.
test.each(Object.entries({ 59: '287082', 1111111109: '081804', 1234567890: '005924' }))(
  'at %s seconds, %s is valid for one step before and after, but not for two',
  (seconds, code) => {
    const { isValid } = totpFromBytes(bytesOf('12345678901234567890'), 'mona', 'octo-org');
    const clock = jest.spyOn(Date, 'now');
    const validity = [-60, -30, 0, 30, 60].map((offset) => {
      clock.mockReturnValue((Number(seconds) + offset) * 1000);
      return isValid(code);
    });
    expect(validity).toEqual([false, true, true, true, false]);
  },
);

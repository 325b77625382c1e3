import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { create } from 'qrcode';
import { totp } from '../../../src/contract/authenticators.ts';
import { imageVariants } from '../../../src/contract/image.ts';
import { QUIET_ZONE, qrPath } from '../../../web/src/components/qr-code.tsx';
import { createTotpSecret, totpFromBytes } from '../../../web/src/features/registration/totp-secret.ts';
import { type WizardState, wizardState } from '../../../web/src/features/registration/wizard.ts';
import { randomName, VARIANTS } from '../../../web/src/features/security-image/random-image.ts';

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

describe('the random name of an image', () => {
  test('has 20 letters and digits and is different each time', () => {
    const names = Array.from({ length: 50 }, () => randomName());
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9]{20}$/);
    expect(new Set(names).size).toBe(50);
  });
});

test('the browser and the server draw the same variants of an image', () => {
  expect(VARIANTS).toEqual(imageVariants);
});

test('draws exactly the dark modules of a real code', () => {
  const { modules } = create('otpauth://totp/OTP%20Guard:mona', { errorCorrectionLevel: 'M' });
  const get = (row: number, column: number) => modules.get(row, column);
  const drawn = new Set<string>();
  for (const [, column, row, run] of qrPath({ size: modules.size, get }).matchAll(/M(\d+) (\d+)h(\d+)v1/g))
    for (let offset = 0; offset < Number(run); offset += 1)
      drawn.add(`${Number(row) - QUIET_ZONE} ${Number(column) - QUIET_ZONE + offset}`);
  for (let row = 0; row < modules.size; row += 1)
    for (let column = 0; column < modules.size; column += 1)
      expect(drawn.has(`${row} ${column}`)).toBe(Boolean(get(row, column)));
});

const nothing = { totp: false, webauthn: [] };
const code = { totp: true, webauthn: [] };
const key = { totp: false, webauthn: [{ id: 'credential' }] };
const both = { totp: true, webauthn: [{ id: 'credential' }] };
const wizardFacts = {
  ownAuthenticators: nothing,
  isRequired: false,
  hasProof: false,
  preferCode: false,
  mode: 'open',
  hasEmailCode: false,
} as const;

test.each<[string, Partial<Parameters<typeof wizardState>[0]>, WizardState]>([
  ['waits until the authenticators are known', { ownAuthenticators: null }, 'unknown'],
  ['registers the first authenticator directly', { ownAuthenticators: nothing }, 'registering'],
  ['waits for the mode before a first authenticator', { mode: null }, 'unknown'],
  ['asks for a company address first', { mode: 'email' }, 'confirmingAddress'],
  ['registers with the code from the e-mail', { mode: 'email', hasEmailCode: true }, 'registering'],
  ['registers one that waits for a vouch directly', { mode: 'vouched' }, 'registering'],
  ['asks for no address after a first one', { ownAuthenticators: key, mode: null }, 'authenticating'],
  ['requires an authenticator if a step-up is required', { isRequired: true }, 'needsAuthenticator'],
  ['steps up with a code if there is only an app', { ownAuthenticators: code }, 'authenticateTOTP'],
  ['steps up with a passkey if there are both', { ownAuthenticators: both }, 'authenticating'],
  [
    'steps up with a code if there are both and the person prefers the code',
    { ownAuthenticators: both, preferCode: true },
    'authenticateTOTP',
  ],
  [
    'steps up with a passkey if there is no app, even if the address prefers a code',
    { ownAuthenticators: key, preferCode: true },
    'authenticating',
  ],
  ['registers after a step-up with a code', { ownAuthenticators: code, hasProof: true }, 'registering'],
  [
    'registers after a step-up that the server required',
    { ownAuthenticators: key, isRequired: true, hasProof: true },
    'registering',
  ],
  ['steps up again after a refusal', { ownAuthenticators: key, isRequired: true }, 'authenticating'],
])('%s', (_, given, state) => {
  expect(wizardState({ ...wizardFacts, ...given })).toBe(state);
});

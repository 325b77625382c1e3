import { Secret, TOTP } from 'otpauth';
import type { totp } from '../../../../src/contract/authenticators.ts';

/** Copied from the contract, with its types: importing the values would load zod. */
const PARAMETERS = {
  issuer: 'OTP Guard',
  algorithm: 'SHA1',
  digits: 6,
  period: 30,
} as const satisfies Partial<typeof totp>;
const WINDOW: typeof totp.window = 1;
const SECRET_BYTES: typeof totp.secretBytes = 16;

/** A new secret for an authenticator app. */
type TotpSecret = {
  /** Base32, without padding. */
  secret: string;
  /** The `otpauth://totp/…` address that the QR code shows. */
  uri: string;
  /** Tells whether the app shows this code in the current, previous or next step. */
  isValid: (code: string) => boolean;
};

/** Creates a secret of 16 random bytes. */
export function createTotpSecret(username: string, org: string): TotpSecret {
  return totpFromBytes(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)), username, org);
}

/** Follows https://github.com/google/google-authenticator/wiki/Key-Uri-Format. */
export function totpFromBytes(bytes: Uint8Array<ArrayBuffer>, username: string, org: string): TotpSecret {
  const secret = new Secret({ buffer: bytes.buffer });
  const generator = new TOTP({ ...PARAMETERS, label: `${username}@${org}/github`, secret });
  return {
    secret: secret.base32,
    uri: generator.toString(),
    isValid: (code) => generator.validate({ token: code, window: WINDOW }) !== null,
  };
}

/** Splits the secret into groups of four, which are easier to type. */
export const groupByFour = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? '';

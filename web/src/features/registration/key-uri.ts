import { Secret, TOTP } from 'otpauth';
import type { totp } from '../../../../src/contract/totp.ts';

/** As the server has it; the contract gives the dashboard its types alone. */
const PARAMETERS = {
  issuer: 'OTP Guard',
  algorithm: 'SHA1',
  digits: 6,
  period: 30,
} as const satisfies Partial<typeof totp>;
const WINDOW: typeof totp.window = 1;
const SECRET_BYTES: typeof totp.secretBytes = 16;

/** A new secret for a one-time code app, and what the person needs to bring it there. */
export type NewTotp = {
  /** Base32, without padding. */
  secret: string;
  /** `otpauth://totp/…` */
  uri: string;
  /** Whether the app shows this code now, or did a step ago, or will in a step. */
  isRight: (code: string) => boolean;
};

/** Makes a secret of 16 random bytes in the browser. */
export function createTotp(username: string, org: string): NewTotp {
  return totpOf(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)), username, org);
}

/** https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function totpOf(bytes: Uint8Array<ArrayBuffer>, username: string, org: string): NewTotp {
  const secret = new Secret({ buffer: bytes.buffer });
  const generator = new TOTP({ ...PARAMETERS, label: `${username}@${org}/github`, secret });
  return {
    secret: secret.base32,
    uri: generator.toString(),
    isRight: (code) => generator.validate({ token: code, window: WINDOW }) !== null,
  };
}

/** In groups of four, as people copy it. */
export const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? '';

import { Secret, TOTP } from 'otpauth';
import { totp } from '../../contract/authenticators.ts';

const SHORTEST_BYTES = 16;
const LONGEST_BYTES = 64;

/** Reads a base32 secret; null if it is malformed, too short, too long, or a repeated pattern. */
export function parseSecret(base32: string): Uint8Array | null {
  const text = base32.replace(/[\s=]/g, '').toUpperCase();
  if (!/^[A-Z2-7]+$/.test(text)) return null;
  const { bytes } = Secret.fromBase32(text);
  if (bytes.length < SHORTEST_BYTES || bytes.length > LONGEST_BYTES || isRepetition(bytes)) return null;
  return bytes;
}

function isRepetition(bytes: Uint8Array): boolean {
  for (let length = 1; length <= bytes.length / 2; length += 1) {
    if (bytes.length % length === 0 && bytes.every((byte, index) => byte === bytes[index % length]))
      return true;
  }
  return false;
}

/**
 * The time step that the code belongs to: the current one, the one before or the
 * one after (RFC 6238, section 5.2); null if it belongs to none of them.
 */
export function stepOfCode(secret: Uint8Array, code: string, now: Date): number | null {
  // The library throws on digits of other scripts, which have more bytes than characters.
  if (!/^[0-9]{6}$/.test(code)) return null;
  const generator = new TOTP({
    algorithm: totp.algorithm,
    digits: totp.digits,
    period: totp.period,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
  });
  const delta = generator.validate({ token: code, timestamp: now.getTime(), window: totp.window });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / totp.period) + delta;
}

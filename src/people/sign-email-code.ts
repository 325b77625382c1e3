import { createHmac, hkdfSync } from 'node:crypto';

/** Binds a code to the person and the address that it was made for; base64url. */
export type SignEmailCode = (parts: {
  userId: string;
  email: string;
  /** Milliseconds since 1970. */
  ts: number;
  nonce: string;
  code: string;
}) => string;

/** HMAC-SHA-256 under a key of its own, derived from `SECRET_KEY`. */
export function createSignEmailCode(secretKey: string): SignEmailCode {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'otp-guard:email-code:v1', 32));
  return ({ userId, email, ts, nonce, code }) =>
    createHmac('sha256', key)
      .update(JSON.stringify([userId, email, ts, nonce, code]))
      .digest('base64url');
}

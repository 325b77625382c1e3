import { createHmac, hkdfSync } from 'node:crypto';

/** Binds a code to the person, the address and the purpose that it was made for; base64url. */
export type SignEmailCode = (parts: {
  userId: string;
  email: string;
  orgId: number;
  /** Milliseconds since 1970. */
  ts: number;
  nonce: string;
  code: string;
}) => string;

/** HMAC-SHA-256 under a key of its own, derived from `SECRET_KEY`. */
export function createSignEmailCode(secretKey: string): SignEmailCode {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'otp-guard:email-code:v1', 32));
  return ({ userId, email, orgId, ts, nonce, code }) =>
    createHmac('sha256', key)
      .update(JSON.stringify([userId, email, orgId, ts, nonce, code]))
      .digest('base64url');
}

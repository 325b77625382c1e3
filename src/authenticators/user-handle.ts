import { sha256 } from '../sha256.ts';

/**
 * The WebAuthn user handle of a person in one organization: 32 bytes. One for
 * each organization, because an authenticator keeps one passkey for a handle
 * and would drop the first organization's for the second's.
 */
export function userHandle(userId: string, orgId: number): Uint8Array<ArrayBuffer> {
  return sha256(`otp-guard:user-handle:${userId}:${orgId}`);
}

import { sha256 } from '../../shared/sha256.ts';

/**
 * The WebAuthn user handle of a person in one organization: 32 bytes. Each
 * organization has its own, because an authenticator keeps one passkey per
 * handle and would replace the first organization's with the second's.
 */
export function userHandle(userId: string, orgId: number): Uint8Array<ArrayBuffer> {
  return sha256(`otp-guard:user-handle:${userId}:${orgId}`);
}

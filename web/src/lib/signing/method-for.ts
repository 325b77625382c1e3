import type { OwnAuthenticators } from '../session/user.ts';

/** The method by which a person can approve in this browser; null if they have no authenticator for it. */
export function methodFor({ totp, webauthn }: OwnAuthenticators): 'webauthn' | 'totp' | null {
  if (webauthn.length > 0 && 'PublicKeyCredential' in window) return 'webauthn';
  return totp ? 'totp' : null;
}

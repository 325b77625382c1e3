import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from '@simplewebauthn/server';
import { decodeBase64url, hashJson } from './bytes.ts';
import { isTopLevel, parseClientData } from './client-data.ts';
import { isKnownKey } from './cose-key.ts';

export type SignedStatement = {
  /** Exactly as it was signed: `host` is the origin of the page that asked for it. */
  statement: { host: string };
  /** `AuthenticationResponseJSON` of WebAuthn Level 3, section 5.1.10. */
  assertion: { id: string; rawId: string; type: string; response: { clientDataJSON: string } };
  /** COSE, base64url. */
  publicKey: string;
};

/**
 * Verifies that a key signed a statement: WebAuthn Level 3, section 7.2, with the statement's hash as the challenge,
 * on a page of its host that no other site embedded. The origin is the statement's own: compare it with the one you
 * expect.
 *
 * @returns Whether the person was verified by fingerprint, face or PIN; null if the key didn't sign it.
 */
export async function verifyStatement(signed: SignedStatement): Promise<{ userVerified: boolean } | null> {
  const { statement, assertion, publicKey } = signed;
  try {
    const data = parseClientData(assertion.response.clientDataJSON);
    const key = decodeBase64url(publicKey);
    if (!data || !isTopLevel(data) || !key || !isKnownKey(key)) return null;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: assertion as unknown as AuthenticationResponseJSON,
      expectedChallenge: hashJson(statement),
      expectedOrigin: statement.host,
      expectedRPID: new URL(statement.host).hostname,
      requireUserVerification: false,
      // The server compared the counter when it was signed.
      credential: { id: assertion.id, publicKey: key, counter: 0 },
    });
    return verified ? { userVerified: authenticationInfo.userVerified } : null;
  } catch {
    return null;
  }
}

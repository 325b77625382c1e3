import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { RequestOptions } from '../../contract/approvals.ts';
import type { Credential, RelyingParty } from '../ports.ts';

/** How long the browser gives a person for a ceremony. */
export const CEREMONY_MS = 60_000;

/** A credential in the form that the browser's options have. */
export const descriptorOf = ({ keyId, transports }: Credential) => ({ id: keyId, transports });

/**
 * The options for an assertion by one of these credentials: WebAuthn Level 3,
 * section 5.5.
 *
 * @param challenge base64url; random if you leave it out.
 */
export async function requestOptions(
  relyingParty: RelyingParty,
  credentials: Credential[],
  challenge?: string,
): Promise<RequestOptions> {
  const options = await generateAuthenticationOptions({
    rpID: relyingParty.id,
    allowCredentials: credentials.map(descriptorOf),
    userVerification: 'preferred',
    timeout: CEREMONY_MS,
    ...(challenge !== undefined && { challenge: new Uint8Array(Buffer.from(challenge, 'base64url')) }),
  });
  return options as RequestOptions;
}

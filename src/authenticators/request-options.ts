import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { RequestOptions } from '../contract/approvals.ts';
import type { Credential, RelyingParty } from './ports.ts';

/** How long a person has for a ceremony, as the browser is told. */
export const CEREMONY_MS = 60_000;

/** A credential as the browser's options name it. */
export const descriptorOf = ({ keyId, transports }: Credential) => ({ id: keyId, transports });

/**
 * The request that lets one of these credentials answer a challenge: WebAuthn
 * Level 3, section 5.5.
 *
 * @param challenge base64url; a random one where it is left out.
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

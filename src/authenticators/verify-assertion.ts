import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from '@simplewebauthn/server';
import { AppError } from '../app-error.ts';
import { isTopLevel, parseClientData } from './client-data.ts';
import type { Challenge, Credential, Credentials, RelyingParty } from './ports.ts';
import { userHandle } from './user-handle.ts';

export type VerifiedAssertion = { credential: Credential; userVerified: boolean };

/**
 * Verifies an assertion over a challenge that is spent already: WebAuthn
 * Level 3, section 7.2. What the library leaves to the relying party is done
 * here: whose credential and user handle it is, that no frame of another site
 * asked for it, and that each counter value serves once.
 *
 * @throws AppError `foreignAuthenticator` where the credential is not this
 *   person's in this organization, `clonedAuthenticator` where its counter does
 *   not rise, `assertionFailed` for all else.
 */
export async function verifyAssertion(
  deps: { credentials: Credentials; relyingParty: RelyingParty },
  input: { response: AuthenticationResponseJSON; challenge: Challenge; orgRecordId: string },
): Promise<VerifiedAssertion> {
  const { credentials, relyingParty } = deps;
  const { response, challenge } = input;

  const own = await credentials.of(challenge.userId, input.orgRecordId);
  const credential = own.find(({ keyId }) => keyId === response.id);
  if (!credential) throw new AppError('foreignAuthenticator');

  const handle = response.response.userHandle;
  if (handle) {
    const expected = Buffer.from(userHandle(challenge.userId, challenge.orgId)).toString('base64url');
    if (handle !== expected) throw new AppError('foreignAuthenticator');
  }
  const data = parseClientData(response.response.clientDataJSON);
  if (!data || !isTopLevel(data)) throw new AppError('assertionFailed');

  const verification = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge.challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: false,
    credential: {
      id: credential.keyId,
      publicKey: new Uint8Array(Buffer.from(credential.publicKey, 'base64url')),
      // The counter is compared below, where a copy gets a sentence of its own.
      counter: 0,
    },
  }).catch((cause: unknown) => {
    throw new AppError('assertionFailed', { cause });
  });
  if (!verification.verified) throw new AppError('assertionFailed');

  const { newCounter, userVerified, credentialBackedUp } = verification.authenticationInfo;
  // Section 7.2 step 22: a counter that was ever used has to rise.
  const rises = newCounter > credential.counter || (newCounter === 0 && credential.counter === 0);
  if (!rises || !(await credentials.used(credential, newCounter, credentialBackedUp))) {
    throw new AppError('clonedAuthenticator');
  }
  return { credential, userVerified };
}

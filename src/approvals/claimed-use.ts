import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { assertionFlags } from '../authenticators/assertion-flags.ts';
import type { Credential } from '../authenticators/ports.ts';
import { assuredOf } from '../authenticators/require-assured.ts';
import type { Use } from './require-counted.ts';

/**
 * Which of these credentials of the person made an assertion, as it says. Nothing is verified yet: `verifyAssertion` does that
 * and refuses a credential that isn't the person's. It reads the same flags.
 *
 * @returns Null if the person doesn't have that credential.
 */
export function claimedUse(held: Credential[], response: AuthenticationResponseJSON): Use | null {
  const credential = held.find(({ keyId }) => keyId === response.id);
  if (!credential) return null;
  const { userVerified } = assertionFlags(response.response.authenticatorData);
  return { ...assuredOf(credential), userVerified };
}

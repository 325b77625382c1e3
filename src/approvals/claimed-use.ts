import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { assertionFlags } from '../authenticators/assertion-flags.ts';
import type { Credentials } from '../authenticators/ports.ts';
import { assuredOf } from '../authenticators/require-assured.ts';
import type { Person } from '../people/ports.ts';
import type { Use } from './require-counted.ts';

/**
 * Which of the person's credentials made an assertion, as it says. Nothing is verified yet: `verifyAssertion` does that
 * and refuses a credential that isn't the person's. It reads the same flags.
 *
 * @returns Null if the person doesn't have that credential.
 */
export async function claimedUse(
  { credentials }: { credentials: Pick<Credentials, 'list'> },
  input: { person: Pick<Person, 'userId'>; orgRecordId: string; response: AuthenticationResponseJSON },
): Promise<Use | null> {
  const { person, orgRecordId, response } = input;
  const held = await credentials.list(person.userId, orgRecordId);
  const credential = held.find(({ keyId }) => keyId === response.id);
  if (!credential) return null;
  const { userVerified } = assertionFlags(response.response.authenticatorData);
  return { ...assuredOf(credential), userVerified };
}

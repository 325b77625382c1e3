import type { AuthenticatorType } from '../../../../src/contract/authenticators.ts';

const TYPES: readonly string[] = ['totp', 'passkey', 'security-key'] satisfies AuthenticatorType[];

/** Which authenticator the address is about; refuses with the first thing that is wrong. */
export function readAddress(
  type = '',
  id = '',
): { type: AuthenticatorType; id: string } | { invalid: string } {
  if (!TYPES.includes(type)) return { invalid: 'invalid authenticator type' };
  if (!/^[a-z0-9]{15}$/.test(id)) return { invalid: 'invalid authenticator id' };
  return { type: type as AuthenticatorType, id };
}

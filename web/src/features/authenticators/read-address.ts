import { type AuthenticatorType, authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';

type Address = { type: AuthenticatorType; id: string };

/** Reads which authenticator the address names, or says what is invalid first. */
export function readAddress(type = '', id = ''): Address | { invalid: string } {
  if (!Object.hasOwn(authenticatorKinds, type)) return { invalid: 'invalid authenticator type' };
  if (!/^[a-z0-9]{15}$/.test(id)) return { invalid: 'invalid authenticator id' };
  return { type: type as AuthenticatorType, id };
}

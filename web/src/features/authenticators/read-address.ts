import { type AuthenticatorType, authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';

type Address = { type: AuthenticatorType; id: string };

/** Reads which authenticator the address names; null if it names none. */
export function readAddress(type = '', id = ''): Address | null {
  if (!Object.hasOwn(authenticatorKinds, type) || !/^[a-z0-9]{15}$/.test(id)) return null;
  return { type: type as AuthenticatorType, id };
}

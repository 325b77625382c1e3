import {
  type AuthenticatorType,
  authenticatorKinds,
} from '../../../../../src/contract/authenticator-kinds.ts';

const METHOD_ORDER: AuthenticatorType[] = ['passkey', 'security-key', 'totp'];

/** The kinds of authenticator, to choose from. */
export const METHODS = METHOD_ORDER.map((type) => [type, authenticatorKinds[type].title] as const);

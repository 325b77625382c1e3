import type { User } from '../../lib/user.ts';

/** How many authenticators a person has, in all their organizations together. */
export const countAuthenticators = ({ authenticators }: Pick<User, 'authenticators'>): number =>
  Object.values(authenticators)
    .map(({ totp, webauthn }) => webauthn.length + Number(totp))
    .reduce((sum, some) => sum + some, 0);

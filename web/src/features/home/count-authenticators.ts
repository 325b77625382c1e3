import type { User } from '../../lib/user.ts';

/** The number of a person's authenticators in all organizations. */
export const countAuthenticators = ({ authenticators }: Pick<User, 'authenticators'>): number =>
  Object.values(authenticators)
    .map(({ totp, webauthn }) => webauthn.length + Number(totp))
    .reduce((sum, count) => sum + count, 0);

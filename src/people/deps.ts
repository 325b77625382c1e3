import type { Mailer } from '../notices/ports.ts';
import type { Clock, Random } from '../shared/clock.ts';
import type { Quota } from '../shared/limits.ts';
import type { EmailCodes, Sessions, SignEmailCode, Users } from './ports.ts';

/** The dependencies of the use cases of this room. */
export type PeopleDeps = {
  users: Users;
  emailCodes: EmailCodes;
  signEmail: SignEmailCode;
  quota: Quota;
  /** Null if this server sends no e-mail. */
  mailer: Mailer | null;
  clock: Clock;
  random: Random;
};

/** All that the calls of this room take. */
export type PeopleCallDeps = PeopleDeps & { sessions: Pick<Sessions, 'endAll'> };

import { AppError } from '../app-error.ts';
import type { Effects } from '../audit/ports.ts';
import type { AuthenticatorType } from '../contract/authenticator-kinds.ts';
import type { Memberships, Organization } from '../organizations/ports.ts';
import type { Person } from '../people/ports.ts';
import type { Policies } from '../policies/ports.ts';
import { registrationEffects } from './effects.ts';
import { holderOf } from './holder.ts';
import type { Added, FirstOrFurther, Holder } from './ports.ts';
import type { RegistrantDeps } from './require-registrant.ts';
import type { StepUpDeps } from './step-up.ts';

export type RegistrationDeps = StepUpDeps &
  RegistrantDeps & {
    memberships: Pick<Memberships, 'ownersToNotify'>;
    policies: Pick<Policies, 'inForce'>;
  };

/**
 * Stores a verified authenticator with `add`, together with the log entry and
 * the notices. Owners get a notice only of a person's first authenticator.
 *
 * @throws AppError `alreadyRegistered`, and `stepUpRequired` if another
 *   registration was the person's first in the meantime.
 */
export async function storeRegistration(
  deps: Pick<RegistrationDeps, 'memberships'>,
  input: {
    person: Person;
    org: Organization;
    order: FirstOrFurther;
    authenticator: { type: AuthenticatorType; label: string };
    add(holder: Holder, effects: Effects): Promise<Added | 'known' | 'notFirst'>;
  },
): Promise<Added> {
  const { person, org, order, authenticator } = input;
  const holder = holderOf(person, org);
  const owners = order === 'first' ? await deps.memberships.ownersToNotify(org.id) : [];
  const added = await input.add(holder, registrationEffects(holder, authenticator, owners));
  if (added === 'known') throw new AppError('alreadyRegistered');
  if (added === 'notFirst') throw new AppError('stepUpRequired');
  return added;
}

import type { Effects } from '../../audit/ports.ts';
import type { Organization } from '../../organizations/ports.ts';
import type { Person } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import { holderOf, type RegisteredAuthenticator, registrationEffects } from '../effects.ts';
import type { Added, Admission, Holder } from '../ports.ts';
import { requireFreeAddress } from './enrolment-address.ts';

/**
 * Stores a verified authenticator with `add`, together with the log entry and
 * the notices. Owners get a notice only of a person's first authenticator.
 *
 * @throws AppError `alreadyRegistered`, `addressTaken`, and `stepUpRequired` if another
 *   registration was the person's first in the meantime.
 */
export async function storeRegistration(
  deps: AuthenticatorDeps,
  input: {
    person: Person;
    org: Organization;
    admission: Admission;
    authenticator: RegisteredAuthenticator;
    add(holder: Holder, effects: Effects): Promise<Added | 'known' | 'notFirst'>;
  },
): Promise<Added> {
  const { person, org, admission, authenticator } = input;
  const holder = holderOf(person, org);
  const owners = (await isNews(deps, holder, admission)) ? await deps.memberships.ownersToNotify(org.id) : [];
  const added = await input.add(holder, registrationEffects(holder, authenticator, { admission, owners }));
  const address = admission.order === 'first' ? admission.address : undefined;
  if (added === 'known' && address)
    await requireFreeAddress(deps.enrolmentAddresses, { person, org, address });
  if (added === 'known') throw new AppError('alreadyRegistered');
  if (added === 'notFirst') throw new AppError('stepUpRequired');
  return added;
}

/** Whether owners get a notice: of a first authenticator, and of the first one that waits for a vouch. */
async function isNews(deps: AuthenticatorDeps, holder: Holder, admission: Admission): Promise<boolean> {
  if (admission.order !== 'pending') return admission.order === 'first';
  if (admission.waitsFor === 'device') return false;
  const known = await deps.credentials.all(holder.userId, holder.org.recordId);
  return !known.some(({ pending }) => pending !== '');
}

import type { OrganizationAuthenticatorsAnswer } from '../contract/organization.ts';
import type { Memberships } from '../organizations/ports.ts';
import type { Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import type { HeldAuthenticators } from './ports.ts';

export type CountDeps = {
  memberships: Pick<Memberships, 'of'>;
  heldAuthenticators: Pick<HeldAuthenticators, 'count'>;
};

/**
 * How many authenticators of each kind an organization has, for its owners by our copy of GitHub's list: the record
 * store shows them the authenticators themselves by the same copy.
 *
 * @throws AppError `notOwner`, also if the App is suspended or not installed there.
 */
export async function countAuthenticators(
  deps: CountDeps,
  { session, orgID }: { session: Session; orgID: number },
): Promise<OrganizationAuthenticatorsAnswer> {
  const memberships = await deps.memberships.of(session.userId);
  const owned = memberships.find(({ org, role }) => org.orgId === orgID && role === 'admin')?.org;
  if (!owned || owned.suspended || owned.installationId === 0) throw new AppError('notOwner');
  return deps.heldAuthenticators.count(owned.id);
}

import type { Members, Organization, Organizations, Session } from '../accounts/ports.ts';
import { AppError } from '../app-error.ts';

/**
 * The organization, where the person is a member of it at this moment.
 *
 * @throws AppError `installationNotFound`, `installationSuspended`, `notMember`.
 */
export async function requireMembership(
  deps: { organizations: Organizations; members: Members },
  person: Session,
  orgID: number,
): Promise<Organization> {
  const org = await deps.organizations.byOrgId(orgID);
  if (!org || org.installationId === 0) throw new AppError('installationNotFound');
  if (org.suspended) throw new AppError('installationSuspended');
  if (!(await deps.members.role(org, person))) throw new AppError('notMember');
  return org;
}

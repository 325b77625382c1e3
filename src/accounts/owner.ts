import { AppError } from '../app-error.ts';
import type { Members, Organization, Organizations, Session } from './ports.ts';

/**
 * The organization, where GitHub says at this moment that the person owns it.
 *
 * @throws AppError `installationNotFound`, `installationSuspended`, `notOwner`.
 */
export async function requireOwner(
  deps: { organizations: Organizations; members: Members },
  session: Session,
  orgID: number,
): Promise<Organization> {
  const org = await deps.organizations.byOrgId(orgID);
  if (!org || org.installationId === 0) throw new AppError('installationNotFound');
  if (org.suspended) throw new AppError('installationSuspended');
  if ((await deps.members.role(org, session)) !== 'admin') throw new AppError('notOwner');
  return org;
}

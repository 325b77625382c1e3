import { AppError } from '../app-error.ts';
import type { Members, Organization, Organizations, Role, Session } from './ports.ts';

type Deps = { organizations: Organizations; members: Members };

/**
 * The organization, where GitHub says at this moment that the person is a member of it.
 *
 * @throws AppError `installationNotFound`, `installationSuspended`, `notMember`.
 */
export async function requireMembership(deps: Deps, person: Session, orgID: number): Promise<Organization> {
  const { org, role } = await roleIn(deps, person, orgID);
  if (!role) throw new AppError('notMember');
  return org;
}

/**
 * The organization, where GitHub says at this moment that the person owns it.
 *
 * @throws AppError `installationNotFound`, `installationSuspended`, `notOwner`.
 */
export async function requireOwner(deps: Deps, person: Session, orgID: number): Promise<Organization> {
  const { org, role } = await roleIn(deps, person, orgID);
  if (role !== 'admin') throw new AppError('notOwner');
  return org;
}

async function roleIn(
  { organizations, members }: Deps,
  person: Session,
  orgID: number,
): Promise<{ org: Organization; role: Role | null }> {
  const org = await organizations.byOrgId(orgID);
  if (!org || org.installationId === 0) throw new AppError('installationNotFound');
  if (org.suspended) throw new AppError('installationSuspended');
  return { org, role: await members.role(org, person) };
}

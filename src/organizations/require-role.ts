import type { Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import type { Members, Organization, Organizations, Role } from './ports.ts';

type Deps = { organizations: Organizations; members: Members };

/**
 * Returns the organization if GitHub says now that the person is a member of it.
 *
 * @throws AppError `installationNotFound`, `installationSuspended`, `notMember`.
 */
export async function requireMember(deps: Deps, person: Session, orgID: number): Promise<Organization> {
  const { org, role } = await roleIn(deps, person, orgID);
  if (!role) throw new AppError('notMember');
  return org;
}

/**
 * Returns the organization if GitHub says now that the person is an owner of it.
 *
 * @throws AppError `installationNotFound`, `installationSuspended`, `notOwner`.
 */
export async function requireOwner(deps: Deps, person: Session, orgID: number): Promise<Organization> {
  const { org, role } = await roleIn(deps, person, orgID);
  if (role !== 'admin') throw new AppError('notOwner');
  return org;
}

/**
 * Returns the organization and the person's role in it, as GitHub says now.
 *
 * @throws AppError `installationNotFound`, `installationSuspended`, `notMember`.
 */
export async function requireRole(
  deps: Deps,
  person: Session,
  orgID: number,
): Promise<{ org: Organization; role: Role }> {
  const { org, role } = await roleIn(deps, person, orgID);
  if (!role) throw new AppError('notMember');
  return { org, role };
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

import type { Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import type { Members, Memberships, Organization, Organizations, Role } from './ports.ts';

/** Asks GitHub about a person in an organization. */
export type RoleDeps = { organizations: Organizations; members: Members };

/**
 * Returns the organization if GitHub says now that the person is a member of it.
 *
 * @throws AppError `installationNotFound`, `installationSuspended`, `notMember`.
 */
export const requireMember = async (deps: RoleDeps, person: Session, orgID: number): Promise<Organization> =>
  (await requireRole(deps, person, orgID)).org;

/**
 * Returns the organization if GitHub says now that the person is an owner of it.
 *
 * @throws AppError `installationNotFound`, `installationSuspended`, `notOwner`.
 */
export async function requireOwner(deps: RoleDeps, person: Session, orgID: number): Promise<Organization> {
  const org = await requireOrganization(deps, orgID);
  if ((await deps.members.role(org, person)) !== 'admin') throw new AppError('notOwner');
  return org;
}

/**
 * Returns the organization and the person's role in it, as GitHub says now.
 *
 * @throws AppError `installationNotFound`, `installationSuspended`, `notMember`.
 */
export async function requireRole(
  deps: RoleDeps,
  person: Session,
  orgID: number,
): Promise<{ org: Organization; role: Role }> {
  const org = await requireOrganization(deps, orgID);
  const role = await deps.members.role(org, person);
  if (!role) throw new AppError('notMember');
  return { org, role };
}

/** The person's membership as GitHub last confirmed it: for calls that need no newer answer, or while there is none. */
export async function storedMembership(
  { memberships }: { memberships: Pick<Memberships, 'of'> },
  { userId }: Pick<Session, 'userId'>,
  orgID: number,
): Promise<{ org: Organization; role: Role } | undefined> {
  return (await memberships.of(userId)).find(({ org }) => org.orgId === orgID);
}

async function requireOrganization({ organizations }: RoleDeps, orgID: number): Promise<Organization> {
  const org = await organizations.byOrgId(orgID);
  if (!org || org.installationId === 0) throw new AppError('installationNotFound');
  if (org.suspended) throw new AppError('installationSuspended');
  return org;
}

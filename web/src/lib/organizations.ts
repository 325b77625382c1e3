import type { PageContext } from './page-context.ts';
import type { Organization, User } from './user.ts';

/**
 * The person's organization that the address names: by id if there is one, else by name in any case. Null if they don't
 * belong to it.
 */
export function findOrganization(
  { organizations }: Pick<User, 'organizations'>,
  { owner, ownerID }: Pick<PageContext, 'owner' | 'ownerID'>,
): Organization | null {
  const name = owner.toLowerCase();
  const isNamed = (organization: Organization) =>
    ownerID ? String(organization.orgId) === ownerID : organization.name.toLowerCase() === name;
  return organizations.find(isNamed) ?? null;
}

/** The query parameters of a page about this organization. */
export const organizationQuery = ({
  name,
  orgId,
  installationId,
}: Pick<Organization, 'name' | 'orgId' | 'installationId'>) => ({
  owner: name,
  ownerID: String(orgId),
  installation: String(installationId),
});

/** The organization that a page is about, as its address names it; the server checks both members. */
export type NamedOrganization = { org: string; orgID: string };

export const NO_ORGANIZATION = "This address doesn't name an organization.\nChoose one of yours.";

/** Reads the organization from the address, or says what is missing. */
export function readNamedOrganization(
  { owner, ownerID }: PageContext,
  user: User,
): NamedOrganization | { missing: string } {
  if (!user.username) return { missing: 'Missing username\nLog out, then sign in again.' };
  if (!owner || !/^[1-9][0-9]{0,15}$/.test(ownerID)) return { missing: NO_ORGANIZATION };
  return { org: owner, orgID: ownerID };
}

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

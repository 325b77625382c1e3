import type { PageContext } from './page-context.ts';
import type { Organization, User } from './user.ts';

/**
 * Which of the person's organizations the address is about: by its id, else by its name in any case; null where it
 * is none of theirs.
 */
export function findOrganization(
  { organizations }: Pick<User, 'organizations'>,
  { owner, ownerID }: Pick<PageContext, 'owner' | 'ownerID'>,
): Organization | null {
  const name = owner.toLowerCase();
  const isIt = (organization: Organization) =>
    ownerID ? String(organization.orgId) === ownerID : organization.name.toLowerCase() === name;
  return organizations.find(isIt) ?? null;
}

/** How an organization stands in the query of a page that is about it. */
export const organizationQuery = ({
  name,
  orgId,
  installationId,
}: Pick<Organization, 'name' | 'orgId' | 'installationId'>) => ({
  owner: name,
  ownerID: String(orgId),
  installation: String(installationId),
});

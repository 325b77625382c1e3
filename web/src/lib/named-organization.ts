import type { PageContext } from './page-context.ts';
import type { User } from './user.ts';

/** The organization that a page is about, as its address names it; the server checks both members. */
export type NamedOrganization = { org: string; orgID: string };

/** Reads the organization from the address, or says what is missing first. */
export function readNamedOrganization(
  context: PageContext,
  user: User,
): NamedOrganization | { missing: string } {
  if (!user.username) return { missing: 'Missing username' };
  if (!context.owner) return { missing: 'Missing organization' };
  if (!context.ownerID) return { missing: 'missing organization id' };
  return { org: context.owner, orgID: context.ownerID };
}

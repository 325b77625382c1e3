import type { PageContext } from '../../lib/page-context.ts';
import type { User } from '../../lib/user.ts';

/** The organization to register for, as the address names it; the server checks both members. */
export type Organization = { org: string; orgID: string };

/** Reads the organization from the address, or says what is missing first. */
export function readOrganization(context: PageContext, user: User): Organization | { missing: string } {
  if (!user.username) return { missing: 'Missing username' };
  if (!context.owner) return { missing: 'Missing organization' };
  if (!context.ownerID) return { missing: 'missing organization id' };
  return { org: context.owner, orgID: context.ownerID };
}

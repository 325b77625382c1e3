import type { PageContext } from '../../lib/page-context.ts';
import type { User } from '../../lib/user.ts';

/** For which organization the person registers; the server checks both members. */
export type Organization = { org: string; orgID: string };

/** Takes the organization out of the address; refuses with the first thing that registration lacks. */
export function readOrganization(context: PageContext, user: User): Organization | { missing: string } {
  if (!user.username) return { missing: 'Missing username' };
  if (!context.owner) return { missing: 'Missing organization' };
  if (!context.ownerID) return { missing: 'missing organization id' };
  return { org: context.owner, orgID: context.ownerID };
}

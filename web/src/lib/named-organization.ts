import type { PageContext } from './page-context.ts';
import type { User } from './user.ts';

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

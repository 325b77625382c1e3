import { KEYS, type KeyValueStore } from './local-store.ts';
import { findOrganization, organizationQuery } from './organizations.ts';
import { keepQuery, readPageContext } from './page-context.ts';
import type { Organization, User } from './user.ts';

/** The organization that a person chose last, kept on this device. `userID` is the id of their record. */
export type Preference = { owner: string; ownerID: string; userID: string };

export function savePreference(
  local: KeyValueStore,
  { id }: Pick<User, 'id'>,
  { name, orgId }: Pick<Organization, 'name' | 'orgId'>,
): void {
  const preference: Preference = { owner: name, ownerID: String(orgId), userID: id };
  local.setItem(KEYS.orgPreference, JSON.stringify(preference));
}

/** Null where the person has none. What somebody else left behind is reset. */
export function readPreference(local: KeyValueStore, { id }: Pick<User, 'id'>): Preference | null {
  const { owner, ownerID, userID } = parse(local.getItem(KEYS.orgPreference));
  if (id && userID === id && owner && ownerID) return { owner, ownerID, userID };
  local.removeItem(KEYS.orgPreference);
  return null;
}

function parse(text: string | null): Partial<Preference> {
  try {
    return JSON.parse(text ?? '') ?? {};
  } catch {
    return {};
  }
}

/** The preferred organization, as long as the person belongs to it. */
export function preferredOrganization(
  local: KeyValueStore,
  user: Pick<User, 'id' | 'organizations'>,
): Organization | null {
  const preference = readPreference(local, user);
  return preference && findOrganization(user, preference);
}

/** Whether a page is about one organization as a whole. */
export const isOrganizationPage = (pathname: string) => /^\/org(\/|$)/.test(pathname);

/**
 * The address of such a page that was opened without saying of which organization, with the preferred one filled in;
 * null where there is nothing to fill in.
 */
export function fillIn(
  { pathname, search }: { pathname: string; search: string },
  preferred: Organization | null,
): string | null {
  const { owner, ownerID } = readPageContext(search);
  if (!preferred || owner || ownerID || !isOrganizationPage(pathname)) return null;
  return keepQuery(pathname, search, organizationQuery(preferred));
}

import { keepQuery, readPageContext } from '../address/page-context.ts';
import { KEYS, type KeyValueStore } from './local-store.ts';
import { findOrganization, type Organization, organizationQuery, type User } from './user.ts';

/** The organization that a person chose last, stored on this device. `userID` is their record id. */
type Preference = { owner: string; ownerID: string; userID: string };

export function savePreference(
  local: KeyValueStore,
  { id }: Pick<User, 'id'>,
  { name, orgId }: Pick<Organization, 'name' | 'orgId'>,
): void {
  const preference: Preference = { owner: name, ownerID: String(orgId), userID: id };
  local.setItem(KEYS.orgPreference, JSON.stringify(preference));
}

/** Null if the person has none. A preference that another person left on this device is removed. */
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

/** The preferred organization, if the person still belongs to it. */
export function preferredOrganization(
  local: KeyValueStore,
  user: Pick<User, 'id' | 'organizations'>,
): Organization | null {
  const preference = readPreference(local, user);
  return preference && findOrganization(user, preference);
}

/** Tells whether the page is one of an organization's own pages. */
export const isOrganizationPage = (pathname: string) => /^\/org(\/|$)/.test(pathname);

/**
 * Completes the address of an organization's page that names no organization with the preferred one; null if there is
 * nothing to add.
 */
export function withPreferredOrganization(
  { pathname, search }: { pathname: string; search: string },
  preferred: Organization | null,
): string | null {
  const { owner, ownerID } = readPageContext(search);
  if (!preferred || owner || ownerID || !isOrganizationPage(pathname)) return null;
  return keepQuery(pathname, search, organizationQuery(preferred));
}

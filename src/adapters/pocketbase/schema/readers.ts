/** Rules in PocketBase's filter language: which signed-in user may read a record. */
export const signedIn = '@request.auth.id != ""';

/** The user's own memberships. Reading the rule from the user's side is cheap, as each user has few. */
export const myMemberships = '@request.auth.org_members_via_user';

/** @param org The record's relation to its organization. */
export const memberOf = (org: string) => `${signedIn} && ${myMemberships}.org ?= ${org}`;

/**
 * An organization that suspended or uninstalled the App shows nothing: nobody's membership can be checked. In these
 * words, of which only the name needs the organization to exist, SQLite can't begin with the organizations. It otherwise
 * does once its statistics say that there are few, and then sorts the whole log for a page of it.
 */
export const isActive = (org: string) =>
  `${org}.name != "" && ${org}.suspended != true && ${org}.installation_id != 0`;

export const activeMemberOf = (org: string) => `${memberOf(org)} && ${isActive(org)}`;

const ownerOf = (org: string) =>
  `(${myMemberships}.org ?= ${org} && ${myMemberships}.role ?= "admin" && ${isActive(org)})`;

/** The holder, while they're a member; and the organization's owners, who see everyone's. */
export const holderOrOwner = (user: string, org: string) =>
  `${memberOf(org)} && (${user} = @request.auth.id || ${ownerOf(org)})`;

/** The operators that a filter may compare a field with. */
export const SAME = ['='];
export const CONTAINS = ['=', '~'];
const IN_ORDER = ['=', '<', '<=', '>', '>='];

export const NEWEST = ['created', 'id'];

/** The filters of a page that continues from an entry, so that new entries don't move it. */
export const IN_TIME = { created: IN_ORDER, id: IN_ORDER };

/** The organization that a record belongs to: by record id, by GitHub's id or by name. */
export const organization = (relation: 'org' | 'org_id') => ({
  [relation]: SAME,
  [`${relation}.org_id`]: SAME,
  [`${relation}.name`]: SAME,
  [`${relation}.name:lower`]: SAME,
});

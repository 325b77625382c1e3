/** The operators that a filter may compare a field with. */
export const SAME = ['='];
export const CONTAINS = ['=', '~'];
const IN_ORDER = ['=', '<', '<=', '>', '>='];

export const NEWEST = ['created', 'id'];

/** For pages that go on from an entry, which new entries don't move. */
export const IN_TIME = { created: IN_ORDER, id: IN_ORDER };

/** The organization that a record belongs to: by record id, by GitHub's id or by name. */
export const organization = (relation: 'org' | 'org_id') => ({
  [relation]: SAME,
  [`${relation}.org_id`]: SAME,
  [`${relation}.name`]: SAME,
  [`${relation}.name:lower`]: SAME,
});

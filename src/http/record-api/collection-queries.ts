/** What one call to the record store may ask for. Everything else is 404. */
export type AllowedQuery = {
  /** The fields that a filter may compare, each with its operators. */
  filter: Record<string, readonly string[]>;
  /** Those of them that a filter may join with `||`. */
  choices: readonly string[];
  /** The keys of a sort, each at most once, in either direction. */
  sort: readonly string[];
  expand: readonly string[];
  fields: readonly string[];
};

export const NO_QUERY: AllowedQuery = { filter: {}, choices: [], sort: [], expand: [], fields: [] };

const SAME = ['='];
const IN_ORDER = ['=', '<', '<=', '>', '>='];
const CONTAINS = ['=', '~'];
const NEWEST = ['created', 'id'];
/** For pages that go on from an entry, which new entries don't move. */
const IN_TIME = { created: IN_ORDER, id: IN_ORDER };

/** The organization that a record belongs to: by record id, by GitHub's id or by name. */
const organization = (relation: 'org' | 'org_id') => ({
  [relation]: SAME,
  [`${relation}.org_id`]: SAME,
  [`${relation}.name`]: SAME,
  [`${relation}.name:lower`]: SAME,
});

/** The collections that members read, and the queries that the wire contract and the dashboard's pages need. */
export const readableCollections: Record<string, AllowedQuery> = {
  webauthn: {
    ...NO_QUERY,
    filter: { ...organization('org'), user: SAME, type: SAME, label: ['~'], ...IN_TIME },
    // No login of the holder: an owner could find out who a former member was.
    choices: ['user', 'label'],
    sort: NEWEST,
    expand: ['user', 'org'],
  },
  totps: {
    ...NO_QUERY,
    filter: { ...organization('org_id'), user_id: SAME, ...IN_TIME },
    choices: ['user_id'],
    sort: NEWEST,
    expand: ['user_id', 'org_id'],
  },
  gh_activities: {
    ...NO_QUERY,
    filter: {
      ...organization('org'),
      activity: SAME,
      user_id: SAME,
      // Everybody who may read an entry reads its names.
      'data.login': SAME,
      'data.repo': CONTAINS,
      ...IN_TIME,
    },
    choices: ['user_id'],
    sort: NEWEST,
    expand: ['user_id', 'org'],
  },
  gh_commits: {
    ...NO_QUERY,
    filter: { ...organization('org'), commit: SAME, pr: SAME, repo_id: SAME },
    sort: NEWEST,
    expand: ['activity_ids', 'activity_ids.user_id', 'org'],
  },
  organizations: {
    ...NO_QUERY,
    filter: { org_id: SAME, name: SAME, 'name:lower': SAME },
    sort: ['name', ...NEWEST],
  },
  org_members: {
    filter: { ...organization('org'), user: SAME, 'login:lower': SAME, login: CONTAINS },
    choices: [],
    sort: ['login', ...NEWEST],
    expand: ['user', 'org'],
    fields: ['user', 'login'],
  },
};

/** The person's own user record: its memberships, with their organizations. */
export const MY_USER_RECORD: AllowedQuery = {
  ...NO_QUERY,
  expand: ['org_members_via_user', 'org_members_via_user.org'],
};

/** The ways to sign in; PocketBase's own client always lists these parts. */
export const AUTH_METHODS: AllowedQuery = { ...NO_QUERY, fields: ['mfa', 'otp', 'password', 'oauth2'] };

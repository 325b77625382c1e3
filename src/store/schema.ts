import type { GitHubConfig } from '../config.ts';
import { activityKinds } from '../contract/activity.ts';

/**
 * Every collection of the record store, its rules and indexes, once. Raise
 * `SCHEMA_VERSION` with each change; `migrate` applies the whole of it.
 *
 * No rule lets a user create, update or delete: every write is the server's.
 * A collection without rules is the server's alone. Fields that hold key
 * material are hidden besides, so that no `expand`, `filter`, `sort` or
 * realtime event of a rule that is widened one day can show them.
 */
export const SCHEMA_VERSION = 2;

/** Who has an authenticator, for each of GitHub's members of an organization. */
const MEMBER_STANDINGS = `
  SELECT m.id, m.org, m.login, m.role, CAST((
    EXISTS (SELECT 1 FROM webauthn w WHERE w.user = m.user AND w.org = m.org)
    OR EXISTS (SELECT 1 FROM totps t WHERE t.user_id = m.user AND t.org_id = m.org)
  ) AS INTEGER) AS enrolled
  FROM org_members m`;

type Field = Record<string, unknown> & { name: string; type: string };
export type Collection = Record<string, unknown> & {
  id: string;
  name: string;
  type: 'base' | 'auth' | 'view';
  fields: Field[];
};

const text = (name: string, options: Record<string, unknown> = {}): Field => ({
  name,
  type: 'text',
  max: 1000,
  ...options,
});
const number = (name: string): Field => ({ name, type: 'number', onlyInt: true });
const bool = (name: string, options: Record<string, unknown> = {}): Field => ({
  name,
  type: 'bool',
  ...options,
});
const json = (name: string, options: Record<string, unknown> = {}): Field => ({
  name,
  type: 'json',
  maxSize: 100_000,
  ...options,
});
const date = (name: string): Field => ({ name, type: 'date' });
const select = (name: string, values: string[]): Field => ({ name, type: 'select', maxSelect: 1, values });
const relation = (name: string, to: string, options: Record<string, unknown> = {}): Field => ({
  name,
  type: 'relation',
  collectionId: to,
  maxSelect: 1,
  cascadeDelete: false,
  ...options,
});
const created: Field = { name: 'created', type: 'autodate', onCreate: true, onUpdate: false };
const updated: Field = { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true };
const hidden = { hidden: true };

const collection = (
  name: string,
  fields: Field[],
  indexes: string[] = [],
  readable: string | null = null,
): Collection => ({
  id: `pbc_${name}`,
  name,
  type: 'base',
  fields,
  indexes: indexes.map((columns, place) => index(name, columns, place)),
  listRule: readable,
  viewRule: readable,
  createRule: null,
  updateRule: null,
  deleteRule: null,
});

/** `columns` may begin with `UNIQUE ` and end with a `WHERE` clause. */
function index(table: string, columns: string, place: number): string {
  const unique = columns.startsWith('UNIQUE ') ? 'UNIQUE ' : '';
  const [names = '', where] = columns.replace(/^UNIQUE /, '').split(' WHERE ');
  return `CREATE ${unique}INDEX \`idx_${table}_${place}\` ON \`${table}\` (${names})${where ? ` WHERE ${where}` : ''}`;
}

const signedIn = '@request.auth.id != ""';
/** The person's own memberships, from their side: there are few of these, and many on the organization's. */
const own = '@request.auth.org_members_via_user';
/** `org` names the organization's relation in the record; a suspended or removed App can vouch for nobody. */
const memberOf = (org: string) => `${signedIn} && ${own}.org ?= ${org}`;
const activeIn = (org: string) => `${org}.suspended = false && ${org}.installation_id > 0`;
const ownerOf = (org: string) => `(${own}.org ?= ${org} && ${own}.role ?= "admin" && ${activeIn(org)})`;
/** One's own, as long as one belongs there; and an owner's, who sees everybody's. */
const ownOrOwners = (user: string, org: string) =>
  `${memberOf(org)} && (${user} = @request.auth.id || ${ownerOf(org)})`;

/** The collections as the record store imports them; `github` fills in the sign-in. */
export function collections(
  github: Pick<GitHubConfig, 'clientId' | 'clientSecret' | 'serverUrl' | 'apiUrl'>,
): Collection[] {
  return [
    {
      ...collection(
        'gh_users',
        [
          number('github_id'),
          text('username'),
          text('avatar'),
          // The person's alone: the server adds these to their own record, and nobody else is shown them.
          json('image', hidden),
          text('address', { ...hidden, max: 254 }),
          { name: 'email', type: 'email', system: true, required: false },
          created,
          updated,
        ],
        ['UNIQUE github_id WHERE github_id != 0'],
        // What is not hidden: id, GitHub id, login and picture, to the person and to members beside them.
        `${signedIn} && (id = @request.auth.id || org_members_via_user.org ?= ${own}.org)`,
      ),
      type: 'auth',
      createRule: '@request.context = "oauth2"',
      authRule: '',
      manageRule: null,
      authAlert: { enabled: false },
      passwordAuth: { enabled: false, identityFields: ['email'] },
      otp: { enabled: false },
      mfa: { enabled: false },
      // A GitHub user token of an App lives as long.
      authToken: { duration: 8 * 60 * 60 },
      oauth2: {
        enabled: true,
        mappedFields: { id: 'github_id', username: 'username', avatarURL: 'avatar', name: '' },
        providers: [
          {
            name: 'github',
            clientId: github.clientId,
            clientSecret: github.clientSecret,
            authURL: `${github.serverUrl}/login/oauth/authorize`,
            tokenURL: `${github.serverUrl}/login/oauth/access_token`,
            userInfoURL: `${github.apiUrl}/user`,
          },
        ],
      },
    },
    collection(
      'organizations',
      [
        number('org_id'),
        text('name'),
        number('installation_id'),
        select('account_type', ['Organization', 'User']),
        text('html_url'),
        json('image'),
        bool('suspended'),
        date('members_at'),
        created,
        updated,
      ],
      ['UNIQUE org_id', 'installation_id'],
      memberOf('id'),
    ),
    // GitHub's members of an organization; `user` where the person has signed in here.
    collection(
      'org_members',
      [
        relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
        number('github_id'),
        text('login'),
        select('role', ['admin', 'member']),
        relation('user', 'pbc_gh_users', { cascadeDelete: true }),
        created,
        updated,
      ],
      ['UNIQUE org, github_id', '`user`, org', 'org, login', 'github_id'],
      memberOf('org'),
    ),
    collection(
      'webauthn',
      [
        select('type', ['passkey', 'security-key']),
        text('label', { max: 100 }),
        text('key_id', { max: 1400, required: true }),
        relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
        relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
        text('public_key', { ...hidden, max: 5000 }),
        { ...number('counter'), ...hidden },
        json('transports', hidden),
        text('aaguid'),
        text('model'),
        bool('backup_eligible'),
        bool('backed_up'),
        bool('attested'),
        date('last_used'),
        created,
        updated,
      ],
      ['UNIQUE key_id', '`user`, org', 'org, created'],
      ownOrOwners('user', 'org'),
    ),
    collection(
      'totps',
      [
        text('label', { max: 100 }),
        relation('user_id', 'pbc_gh_users', { required: true, cascadeDelete: true }),
        relation('org_id', 'pbc_organizations', { required: true, cascadeDelete: true }),
        text('secret', { ...hidden, max: 500 }),
        date('last_used'),
        created,
        updated,
      ],
      ['UNIQUE user_id, org_id', 'org_id, created'],
      ownOrOwners('user_id', 'org_id'),
    ),
    collection(
      'gh_activities',
      [
        select('activity', [...activityKinds]),
        json('data'),
        relation('user_id', 'pbc_gh_users', { cascadeDelete: false }),
        relation('org', 'pbc_organizations', { cascadeDelete: true }),
        created,
      ],
      ['org, created', 'org, activity, created', 'org, user_id, created'],
      `${memberOf('org')} && ${activeIn('org')}`,
    ),
    collection(
      'gh_commits',
      [
        number('repo_id'),
        text('commit'),
        number('pr'),
        relation('org', 'pbc_organizations', { cascadeDelete: true }),
        relation('activity_ids', 'pbc_gh_activities', { maxSelect: 999 }),
        created,
        updated,
      ],
      ['UNIQUE repo_id, pr, commit', '`commit`, pr'],
      `${memberOf('org')} && ${activeIn('org')}`,
    ),

    // The server's own, without any rule.
    {
      id: 'pbc_member_standings',
      name: 'member_standings',
      type: 'view',
      fields: [],
      viewQuery: MEMBER_STANDINGS,
      listRule: null,
      viewRule: null,
    },
    collection(
      'open_pulls',
      [
        relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
        number('repo_id'),
        text('repo_name'),
        number('pr'),
        text('title'),
        text('author'),
        text('head'),
        bool('approved'),
        // Since when it has this head, and when its run was compared with GitHub's last.
        date('since'),
        date('compared'),
      ],
      ['UNIQUE repo_id, pr', 'org, approved, since', 'compared'],
    ),
    collection(
      'email_codes',
      [
        text('sig', { required: true }),
        relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
        text('email', { max: 254 }),
        number('ts'),
        text('nonce'),
        date('expires'),
      ],
      ['UNIQUE sig', 'expires'],
    ),
    // Messages that are still to be sent; who gets one is looked up when it is.
    collection(
      'notices',
      [
        text('kind'),
        relation('user', 'pbc_gh_users', { cascadeDelete: true }),
        text('to', { max: 254 }),
        json('data'),
        number('tries'),
        date('due'),
        created,
      ],
      ['due'],
    ),
    collection(
      'approvals',
      [
        number('repo_id'),
        number('pr'),
        text('base'),
        text('head'),
        number('user_id'),
        text('login'),
        number('org_id'),
        number('installation_id'),
        text('repo_name'),
        select('method', ['passkey', 'security-key', 'totp']),
        bool('user_verified'),
        json('statement'),
        json('assertion'),
        text('public_key', { max: 5000 }),
        date('reported'),
        created,
      ],
      ['UNIQUE repo_id, pr, base, head, user_id', 'repo_id, head', 'reported'],
    ),
    collection(
      'challenges',
      [
        text('challenge', { required: true }),
        select('purpose', ['approve', 'register', 'register-authenticator', 'delete-authenticator']),
        relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
        number('org_id'),
        json('subject'),
        date('expires'),
      ],
      ['UNIQUE challenge', 'expires'],
    ),
    collection('spent', [text('key', { required: true }), date('expires')], ['UNIQUE `key`', 'expires']),
    // The time steps whose codes were used, and the wrong codes in a row.
    collection('totp_steps', [text('totp', { required: true }), number('step')], ['UNIQUE totp, step']),
    collection(
      'code_failures',
      [
        relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
        relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
        number('place'),
        date('at'),
      ],
      ['UNIQUE user, org, place'],
    ),
    // One record for each person who has an authenticator in an organization: it makes the first one the first.
    collection('enrolled', [text('key', { required: true }), created], ['UNIQUE `key`']),
    collection(
      'check_runs',
      [
        number('repo_id'),
        text('head'),
        number('attempt'),
        number('check_run_id'),
        text('state'),
        date('since'),
        created,
        updated,
      ],
      ['UNIQUE repo_id, head, attempt'],
    ),
    collection(
      'webhook_deliveries',
      [text('guid', { required: true }), text('event'), number('installation_id'), created],
      ['UNIQUE guid', 'created', 'installation_id, created'],
    ),
    collection(
      'merge_groups',
      [
        number('repo_id'),
        text('head'),
        text('base_sha'),
        text('base'),
        number('pr'),
        bool('passed'),
        text('pull_head'),
        created,
        updated,
      ],
      ['UNIQUE repo_id, head', 'created'],
    ),
    // What each round of the sweeper found and put right.
    collection('sweeps', [json('report'), created], ['created']),
    collection('schema_versions', [number('version'), created], ['UNIQUE version']),
  ];
}

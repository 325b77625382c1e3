import type { GitHubConfig } from '../config.ts';

/**
 * Every collection of the record store, its rules and indexes, once. Raise
 * `SCHEMA_VERSION` with each change; `migrate` applies the whole of it.
 *
 * No rule lets a user create, update or delete: every write is the server's.
 * A collection without rules is the server's alone. Fields that hold key
 * material are hidden besides, so that no `expand`, `filter`, `sort` or
 * realtime event of a rule that is widened one day can show them.
 */
export const SCHEMA_VERSION = 1;

type Field = Record<string, unknown> & { name: string; type: string };
export type Collection = Record<string, unknown> & {
  id: string;
  name: string;
  type: 'base' | 'auth';
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

const ownBy = (field: string) => `@request.auth.id != "" && ${field} = @request.auth.id`;
const memberOf = (org: string) =>
  `@request.auth.id != "" && ${org}org_members_via_org.user ?= @request.auth.id`;

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
          json('image'),
          json('authenticators'),
          { name: 'email', type: 'email', system: true, required: false },
          created,
          updated,
        ],
        ['UNIQUE github_id WHERE github_id != 0'],
        ownBy('id'),
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
        created,
        updated,
      ],
      ['UNIQUE org_id', 'installation_id'],
      memberOf(''),
    ),
    collection(
      'org_members',
      [
        relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
        relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
        select('role', ['admin', 'member']),
        created,
        updated,
      ],
      ['UNIQUE user, org', 'org'],
      ownBy('user'),
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
      ['UNIQUE key_id', 'user, org', 'org, created'],
      ownBy('user'),
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
      ownBy('user_id'),
    ),
    collection(
      'gh_activities',
      [
        select('activity', [
          'totpRegister',
          'webauthnRegister',
          'authenticatorDelete',
          'webauthnCollect',
          'totpCollect',
          'setOrgImage',
        ]),
        json('data'),
        relation('user_id', 'pbc_gh_users', { cascadeDelete: false }),
        relation('org', 'pbc_organizations', { cascadeDelete: true }),
        created,
      ],
      ['org, created'],
      memberOf('org.'),
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
      memberOf('org.'),
    ),

    // The server's own, without any rule.
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
        created,
        updated,
      ],
      ['UNIQUE repo_id, head, attempt'],
    ),
    collection(
      'webhook_deliveries',
      [text('guid', { required: true }), text('event'), created],
      ['UNIQUE guid', 'created'],
    ),
    collection('schema_versions', [number('version'), created], ['UNIQUE version']),
  ];
}

import { type Credential, challengePurposes } from '../../../authenticators/ports.ts';
import { authenticatorTypes, webauthnTypes } from '../../../contract/authenticator-kinds.ts';
import { NO_QUERY } from '../../../contract/record-queries.ts';
import type { VouchStatement } from '../../../contract/statement.ts';
import { define } from '../schema/definition.ts';
import {
  bool,
  created,
  date,
  hidden,
  json,
  number,
  relation,
  select,
  text,
  updated,
} from '../schema/fields.ts';
import { holderOrOwner, IN_TIME, NEWEST, organization, SAME } from '../schema/readers.ts';

export const authenticators = {
  webauthn: define({
    covered: [
      select('type', webauthnTypes),
      text('key_id', { max: 1400, required: true }),
      relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      text('public_key', { ...hidden, max: 5000 }),
      number('counter', hidden),
      json<'transports', string[] | null>('transports', hidden),
      text('aaguid'),
      bool('backup_eligible'),
      bool('backed_up'),
      bool('attested'),
      bool('model_verified'),
      // The confirmation that it waits for; empty if it counts.
      text<'pending', Credential['pending']>('pending', { max: 20 }),
      text('nonce', { ...hidden, max: 100 }),
      text<'enrolled', Credential['enrolled']>('enrolled', { max: 20 }),
      // The kind of the holder's own authenticator that let it in; empty for a first one.
      text('added_with', { max: 20 }),
    ],
    coveredIds: ['user_github_id', 'org_github_id'],
    fields: [
      text('label', { max: 100 }),
      text('model'),
      // True if a member vouched for it, for display: `vouches` has the vouch.
      bool('vouched'),
      date('last_used'),
      created,
      updated,
    ],
    indexes: [
      'UNIQUE key_id',
      '`user`, org, created, id',
      'org, created, id',
      // A person has at most one pending authenticator in an organization.
      "UNIQUE `user`, org WHERE pending != ''",
    ],
    readers: {
      rule: holderOrOwner('user', 'org'),
      queries: {
        ...NO_QUERY,
        filter: { ...organization('org'), user: SAME, type: SAME, label: ['~'], ...IN_TIME },
        // No login of the holder: an owner could find out who a former member was.
        choices: ['user', 'label'],
        sort: NEWEST,
        expand: ['user', 'org'],
      },
    },
    savedWithMac: ['counter', 'backed_up'],
    changesOnce: ['pending', 'enrolled', 'added_with'],
    expires: 'never',
    people: [{ filter: 'user = {:userId}' }],
    restored: 'from-backup',
  }),

  totps: define({
    covered: [
      relation('user_id', 'pbc_gh_users', { required: true, cascadeDelete: true }),
      relation('org_id', 'pbc_organizations', { required: true, cascadeDelete: true }),
      text('secret', { ...hidden, max: 500 }),
      text<'enrolled', Credential['enrolled']>('enrolled', { max: 20 }),
      text('added_with', { max: 20 }),
    ],
    coveredIds: ['user_github_id', 'org_github_id'],
    fields: [text('label', { max: 100 }), date('last_used'), created, updated],
    // A person has one app in an organization: two registrations at the same time both find none.
    indexes: ['UNIQUE user_id, org_id', 'org_id, created, id'],
    readers: {
      rule: holderOrOwner('user_id', 'org_id'),
      queries: {
        ...NO_QUERY,
        filter: { ...organization('org_id'), user_id: SAME, ...IN_TIME },
        choices: ['user_id'],
        sort: NEWEST,
        expand: ['user_id', 'org_id'],
      },
    },
    sealed: ['secret'],
    expires: 'never',
    people: [{ filter: 'user_id = {:userId}' }],
    restored: 'from-backup',
  }),

  /** The time steps whose codes were used. */
  totp_steps: define({
    covered: null,
    fields: [text('totp', { required: true }), number('step')],
    indexes: ['UNIQUE totp, step'],
    expires: 'never',
    people: 'nobody',
    // `backups/restore-backup.ts` adds the present codes, which may have been used since.
    restored: 'from-backup',
  }),

  /** Wrong codes in a row. Unique, so that of attempts at the same time each counts, in any number of processes. */
  code_failures: define({
    covered: null,
    fields: [
      relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('attempt'),
      date('at'),
    ],
    indexes: ['UNIQUE user, org, attempt'],
    expires: 'never',
    people: 'user',
    restored: 'from-backup',
  }),

  /** One record for each person and organization with an authenticator, so that only one can be the first. */
  first_authenticators: define({
    covered: null,
    fields: [text('key', { required: true }), created],
    indexes: ['UNIQUE `key`'],
    expires: 'never',
    people: 'nobody',
    restored: 'from-backup',
  }),

  challenges: define({
    covered: [
      text('challenge', { required: true }),
      select('purpose', challengePurposes),
      relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
      number('org_id'),
      json('subject'),
      date('expires'),
    ],
    fields: [],
    indexes: ['UNIQUE challenge', 'expires'],
    expires: { time: 'expires', keptMs: 60 * 60 * 1000 },
    people: 'user',
    restored: 'emptied',
  }),

  /** Who vouched for which authenticator, with the signature. They stay when it's removed. */
  vouches: define({
    covered: [
      text('credential', { required: true }),
      text('public_key_sha256'),
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('holder_id'),
      number('voucher_id'),
      text<'enrolled', Credential['enrolled']>('enrolled', { max: 20 }),
      json<'statement', VouchStatement | null>('statement'),
      json<'assertion', { id: string } | null>('assertion'),
      text('public_key', { max: 5000 }),
    ],
    coveredIds: ['org_github_id'],
    fields: [text('voucher_login'), created],
    indexes: ['UNIQUE credential', 'org, created', 'org, public_key_sha256'],
    expires: 'never',
    people: [
      { filter: 'holder_id = {:githubId}' },
      // The authenticators that they vouched for continue to count: the vouch stays.
      {
        filter: 'voucher_id = {:githubId} && holder_id != {:githubId}',
        named: { id: 'voucher_id', login: 'voucher_login' },
        clear: { voucher_id: 0, voucher_login: '', statement: null, assertion: null, public_key: '' },
      },
    ],
    restored: 'from-backup',
  }),

  /** Links that let a person's other device register. Only the hash of the secret is stored. */
  device_links: define({
    covered: [
      text('hash', { required: true }),
      relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
      number('org_id'),
      date('expires'),
    ],
    coveredIds: ['user_github_id'],
    fields: [],
    indexes: ['UNIQUE hash', 'expires'],
    expires: { time: 'expires', keptMs: 0 },
    people: 'user',
    restored: 'emptied',
  }),

  /** The company address that each person enrolled with; `folded` is the same for every way to write one address. */
  enrolment_addresses: define({
    covered: [
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('github_id'),
      text('address', { max: 254 }),
      text('folded', { required: true, max: 300 }),
    ],
    coveredIds: ['org_github_id'],
    fields: [created, updated],
    indexes: ['UNIQUE org, folded', 'UNIQUE org, github_id'],
    expires: 'never',
    people: [{ filter: 'github_id = {:githubId}' }],
    restored: 'from-backup',
  }),

  /** Removed authenticators that were lost or stolen; `done` once their approvals are withdrawn. */
  lost_authenticators: define({
    covered: null,
    fields: [
      text('authenticator', { required: true }),
      select('method', authenticatorTypes),
      number('user_id'),
      text('login'),
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      date('since'),
      text('by'),
      number('by_id'),
      text('by_login'),
      bool('done'),
      created,
    ],
    indexes: ['UNIQUE authenticator', 'done, created'],
    expires: 'never',
    people: [
      { filter: 'user_id = {:githubId}', named: { id: 'user_id', login: 'login' } },
      {
        filter: '(by != "" && by = {:userId}) || by_id = {:githubId}',
        clear: { by: '', by_id: 0, by_login: '' },
      },
    ],
    restored: 'from-backup',
  }),
};

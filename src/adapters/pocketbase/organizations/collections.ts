import type { CheckRequirement } from '../../../contract/organization-health.ts';
import type { Bypass, ProtectionChange } from '../../../contract/protection.ts';
import { NO_QUERY } from '../../../contract/record-queries.ts';
import type {
  AccountProtection,
  Noted,
  RepositoryProtection,
} from '../../../organizations/protection/ports.ts';
import { DAY_MS, define } from '../schema/definition.ts';
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
import { CONTAINS, memberOf, NEWEST, organization, SAME } from '../schema/readers.ts';

export const organizations = {
  organizations: define({
    covered: null,
    fields: [
      number('org_id'),
      text('name'),
      number('installation_id'),
      select('account_type', ['Organization', 'User']),
      text('html_url'),
      json('image'),
      bool('suspended'),
      date('members_at'),
      // When we found a change on GitHub that no webhook had reported.
      date('unheard_at', hidden),
      // Who owned it and what the App could do when we last asked GitHub.
      json<'protection', AccountProtection | null>('protection', hidden),
      // The number of the last weakening's log entry that owners got an e-mail about.
      number('mailed_entry', hidden),
      created,
      updated,
    ],
    indexes: ['UNIQUE org_id', 'installation_id', 'LOWER(name), installation_id'],
    readers: {
      rule: memberOf('id'),
      queries: {
        ...NO_QUERY,
        filter: { org_id: SAME, name: SAME, 'name:lower': SAME },
        sort: ['name', ...NEWEST],
      },
    },
    expires: 'never',
    people: 'as-github',
    restored: 'from-backup',
  }),

  /** GitHub's list of members. `user` is empty until the person signs in here. */
  org_members: define({
    covered: null,
    fields: [
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('github_id'),
      text('login'),
      select('role', ['admin', 'member']),
      relation('user', 'pbc_gh_users', { cascadeDelete: true }),
      created,
      updated,
    ],
    indexes: ['UNIQUE org, github_id', '`user`, org', 'org, login', 'github_id', 'org, role, created'],
    readers: {
      rule: memberOf('org'),
      queries: {
        filter: { ...organization('org'), user: SAME, 'login:lower': SAME, login: CONTAINS },
        choices: [],
        sort: ['login', ...NEWEST],
        expand: ['user', 'org'],
        fields: ['user', 'login'],
      },
    },
    expires: 'never',
    people: [{ filter: 'github_id = {:githubId}', named: { id: 'github_id', login: 'login' } }],
    restored: 'from-backup',
  }),

  /** The e-mails that reminded a member to register. Numbered, so that of several processes only one sends the next. */
  member_reminders: define({
    covered: null,
    fields: [
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('github_id'),
      number('number'),
      date('at'),
    ],
    indexes: ['UNIQUE org, github_id, number', 'at'],
    expires: { time: 'at', keptMs: 90 * DAY_MS },
    people: [{ filter: 'github_id = {:githubId}' }],
    restored: 'from-backup',
  }),

  /** The requirement of each repository's default branch when we last asked GitHub; `required` is empty until then. */
  repository_checks: define({
    covered: null,
    fields: [
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('repo_id'),
      text('name'),
      text('default_branch'),
      text<'required', CheckRequirement | ''>('required'),
      json<'bypass', Bypass | null>('bypass'),
      text('bypass_state'),
      // The last known protection, for comparison with GitHub's next answer, and who did something since then.
      json<'protection', RepositoryProtection | null>('protection'),
      json<'noted', (Omit<Noted, 'at'> & { at: string }) | null>('noted'),
      date('checked'),
      date('due'),
      // Whether the App has no access to it now.
      bool('gone'),
    ],
    indexes: ['UNIQUE repo_id', 'org, name', 'org, required, bypass_state, gone', 'due', 'org, due'],
    expires: 'never',
    people: 'as-github',
    restored: 'from-backup',
  }),

  /**
   * Weakenings around the check, with the number and the hash of its log entry. `by` is who did it, as far as
   * GitHub said, and `person` who became an owner. The statement and its assertion are of who acknowledged it.
   */
  weakenings: define({
    // The change is in the log's tree, which `leaf_hash` commits to.
    covered: [
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('entry'),
      text('leaf_hash'),
      number('repo_id'),
      json<'change', ProtectionChange>('change'),
      text('about'),
      number('person_id'),
      number('by_id'),
      date('acknowledged'),
      number('acknowledged_by'),
      json('statement'),
      json('assertion'),
      text('public_key', { max: 5000 }),
    ],
    coveredIds: ['org_github_id'],
    fields: [text('person'), text('by'), date('at'), date('undone'), text('acknowledged_login')],
    indexes: ['UNIQUE org, entry', 'org, acknowledged, entry', 'org, repo_id, undone', 'at'],
    changesOnce: ['by_id', 'acknowledged', 'acknowledged_by', 'statement', 'assertion', 'public_key'],
    expires: 'never',
    people: [
      { filter: 'by_id = {:githubId}', named: { id: 'by_id', login: 'by' }, clear: { by_id: 0, by: '' } },
      {
        filter: 'person_id = {:githubId}',
        named: { id: 'person_id', login: 'person' },
        clear: { person_id: 0, person: '', about: '' },
      },
      {
        filter: 'acknowledged_by = {:githubId}',
        named: { id: 'acknowledged_by', login: 'acknowledged_login' },
        clear: {
          acknowledged_by: 0,
          acknowledged_login: '',
          statement: null,
          assertion: null,
          public_key: '',
        },
      },
    ],
    restored: 'from-backup',
  }),
};

import { NO_QUERY } from '../../../contract/record-queries.ts';
import type { AccountProtection } from '../../../protection/ports.ts';
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
      // The time at which we found a change on GitHub that no webhook had reported.
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
};

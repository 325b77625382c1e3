import { activityKinds } from '../../contract/activity.ts';
import { webauthnTypes } from '../../contract/authenticator-kinds.ts';
import {
  bool,
  type Collection,
  collection,
  created,
  date,
  hidden,
  json,
  mac,
  number,
  relation,
  select,
  text,
  updated,
} from '../collections/fields.ts';
import { activeMemberOf, holderOrOwner, memberOf } from '../collections/read-rules.ts';

/** A member of `data`, in the very words with which PocketBase's filters read it. */
const inData = (name: string) =>
  `(CASE WHEN json_valid(data) THEN JSON_EXTRACT(data, '$.${name}') ELSE JSON_EXTRACT(json_object('pb', data), '$.pb.${name}') END)`;

/** The collections that members read. Their rules only allow reading: every write is the server's. */
export const readableCollections: Collection[] = [
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
      // When we found a change on GitHub that no webhook had reported.
      { ...date('unheard_at'), ...hidden },
      created,
      updated,
    ],
    ['UNIQUE org_id', 'installation_id', 'LOWER(name), installation_id'],
    memberOf('id'),
  ),
  // GitHub's list of members. `user` is empty until the person signs in here.
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
    ['UNIQUE org, github_id', '`user`, org', 'org, login', 'github_id', 'org, role, created'],
    memberOf('org'),
  ),
  collection(
    'webauthn',
    [
      select('type', [...webauthnTypes]),
      text('label', { max: 100 }),
      text('key_id', { max: 1400, required: true }),
      relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      text('public_key', { ...hidden, max: 5000 }),
      number('counter', hidden),
      json('transports', hidden),
      text('aaguid'),
      text('model'),
      bool('backup_eligible'),
      bool('backed_up'),
      bool('attested'),
      bool('model_verified'),
      // What it waits for before it counts; empty if it counts.
      text('pending', { max: 20 }),
      text('nonce', { ...hidden, max: 100 }),
      // Whether somebody vouched for it, for display: `vouches` has the vouch.
      bool('vouched'),
      text('enrolled', { max: 20 }),
      // The kind of the holder's own authenticator that let it in; empty for a first one.
      text('added_with', { max: 20 }),
      mac,
      date('last_used'),
      created,
      updated,
    ],
    [
      'UNIQUE key_id',
      '`user`, org, created, id',
      'org, created, id',
      // A person has at most one pending authenticator in an organization.
      "UNIQUE `user`, org WHERE pending != ''",
    ],
    holderOrOwner('user', 'org'),
  ),
  collection(
    'totps',
    [
      text('label', { max: 100 }),
      relation('user_id', 'pbc_gh_users', { required: true, cascadeDelete: true }),
      relation('org_id', 'pbc_organizations', { required: true, cascadeDelete: true }),
      text('secret', { ...hidden, max: 500 }),
      text('enrolled', { max: 20 }),
      text('added_with', { max: 20 }),
      mac,
      date('last_used'),
      created,
      updated,
    ],
    // One app each: two that are registered at the same time both find none.
    ['UNIQUE user_id, org_id', 'org_id, created, id'],
    holderOrOwner('user_id', 'org_id'),
  ),
  collection(
    'gh_activities',
    [
      select('activity', [...activityKinds]),
      json('data'),
      relation('user_id', 'pbc_gh_users', { cascadeDelete: false }),
      relation('org', 'pbc_organizations', { cascadeDelete: true }),
      // Its place in the organization's log, from 1.
      number('entry_number'),
      text('subject', { ...hidden, max: 100 }),
      text('leaf', { ...hidden, max: 1000 }),
      // Larger than `data`, which they hold: what a verdict names would otherwise keep a person from approving.
      json('event', { ...hidden, maxSize: 1_000_000 }),
      json('person', { ...hidden, maxSize: 1_000_000 }),
      json('salts', hidden),
      text('nodes', { ...hidden, max: 3000 }),
      text('checkpoint', { ...hidden, max: 1000 }),
      created,
    ],
    [
      // These have the whole order of a page, id and all, so that SQLite sorts nothing, with its statistics or
      // without. The first has what the log is searched by too: a search without a match reads no entry.
      `org, created, id, ${inData('repo')}, ${inData('login')}`,
      'org, activity, created, id',
      'org, user_id, created, id',
      'UNIQUE org, entry_number WHERE entry_number > 0',
      // For reads: SQLite uses the one above only for conditions that say "above 0", and then begins at the first entry.
      'org, entry_number',
      'org, subject',
      'org, user_id, activity',
    ],
    activeMemberOf('org'),
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
    activeMemberOf('org'),
  ),
];

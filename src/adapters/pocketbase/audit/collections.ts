import { type ActivityData, activityKinds } from '../../../contract/activity.ts';
import type { LogEvent, LogPerson } from '../../../contract/log-entry.ts';
import { NO_QUERY } from '../../../contract/record-queries.ts';
import { define } from '../schema/definition.ts';
import { created, hidden, json, number, relation, select, text, updated } from '../schema/fields.ts';
import { activeMemberOf, CONTAINS, IN_TIME, NEWEST, organization, SAME } from '../schema/readers.ts';

/** A member of `data`, in the very words with which PocketBase's filters read it. */
const inData = (name: string) =>
  `(CASE WHEN json_valid(data) THEN JSON_EXTRACT(data, '$.${name}') ELSE JSON_EXTRACT(json_object('pb', data), '$.pb.${name}') END)`;

/** A commit's record lists at most this many of its newest entries. */
export const MOST_LISTED = 50;

export const audit = {
  gh_activities: define({
    // The log's tree covers its entries.
    covered: null,
    fields: [
      select('activity', activityKinds),
      json<'data', ActivityData | null>('data'),
      relation('user_id', 'pbc_gh_users', { cascadeDelete: false }),
      relation('org', 'pbc_organizations', { cascadeDelete: true }),
      // The position in the organization's log, from 1.
      number('entry_number'),
      text('subject', { ...hidden, max: 100 }),
      text('leaf', { ...hidden, max: 1000 }),
      // Larger than `data`, which they hold: what a verdict names would otherwise keep a person from approving.
      json<'event', LogEvent | null>('event', hidden),
      json<'person', LogPerson | null>('person', hidden),
      json<'salts', { event: string | null; person: string | null }>('salts', hidden),
      text('nodes', { ...hidden, max: 3000 }),
      text('checkpoint', { ...hidden, max: 1000 }),
      created,
    ],
    indexes: [
      // These have the whole order of a page, id and all, so that SQLite sorts nothing, with its statistics or
      // without. The first has what the log is searched by too: a search without a match reads no entry.
      `org, created, id, ${inData('repo')}, ${inData('login')}`,
      'org, activity, created, id',
      'org, user_id, created, id',
      'UNIQUE org, entry_number WHERE entry_number > 0',
      // This one is for reads: SQLite uses the one above only for conditions that say "above 0", and then begins at the
      // first entry.
      'org, entry_number',
      'org, subject',
      'org, user_id, activity',
      `org, ${inData('sha')}`,
    ],
    readers: {
      rule: activeMemberOf('org'),
      queries: {
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
    },
    expires: 'never',
    people: 'log',
    restored: 'from-backup',
  }),

  gh_commits: define({
    covered: null,
    fields: [
      number('repo_id'),
      text('commit'),
      number('pr'),
      relation('org', 'pbc_organizations', { cascadeDelete: true }),
      relation<'activity_ids', string[]>('activity_ids', 'pbc_gh_activities', { maxSelect: MOST_LISTED }),
      created,
      updated,
    ],
    indexes: ['UNIQUE repo_id, pr, commit', '`commit`, pr'],
    readers: {
      rule: activeMemberOf('org'),
      queries: {
        ...NO_QUERY,
        filter: { ...organization('org'), commit: SAME, pr: SAME, repo_id: SAME },
        sort: NEWEST,
        expand: ['activity_ids', 'activity_ids.user_id', 'org'],
      },
    },
    expires: 'never',
    people: 'nobody',
    restored: 'from-backup',
  }),

  /** The keys that sign checkpoints and receipts; the one with the highest number signs now. */
  signing_keys: define({
    covered: [
      number('number'),
      text('public_key', { required: true, max: 100 }),
      text('secret', { required: true, max: 500 }),
    ],
    fields: [created],
    indexes: ['UNIQUE number'],
    sealed: ['secret'],
    expires: 'never',
    people: 'nobody',
    // `backups/restore-backup.ts` adds the keys that the backup lacks.
    restored: 'from-backup',
  }),
};

import type { NoticeData, NoticeKind } from '../../../notices/ports.ts';
import { DAY_MS, define } from '../schema/definition.ts';
import { bool, created, date, json, number, relation, text } from '../schema/fields.ts';

export const notices = {
  /** E-mails that still have to be sent. The address is looked up at that time. */
  notices: define({
    covered: null,
    fields: [
      text<'kind', NoticeKind>('kind'),
      relation('user', 'pbc_gh_users', { cascadeDelete: true }),
      text('to', { max: 254 }),
      json<'data', NoticeData>('data'),
      number('tries'),
      date('due'),
      created,
    ],
    indexes: ['due', 'created'],
    // An e-mail that couldn't be sent for three days is no longer news.
    expires: { time: 'created', keptMs: 3 * DAY_MS },
    people: [{ filter: 'data.login:lower ?= {:login} || data.by:lower ?= {:login}' }],
    restored: 'from-backup',
  }),

  /** The heads that people got an e-mail about, so that nobody gets two. `leads`: it's the first in its e-mail. */
  pull_notices: define({
    covered: null,
    fields: [
      relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
      number('repo_id'),
      number('pr'),
      text('head'),
      bool('leads'),
      date('at'),
    ],
    indexes: ['UNIQUE `user`, repo_id, pr, head', '`user`, leads, at', 'at, id'],
    expires: { time: 'at', keptMs: 180 * DAY_MS, ofHead: true },
    people: 'user',
    restored: 'from-backup',
  }),
};

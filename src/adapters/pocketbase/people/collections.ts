import type { Contact } from '../../../notices/ports.ts';
import { define } from '../schema/definition.ts';
import {
  created,
  date,
  type Field,
  hidden,
  json,
  number,
  relation,
  text,
  updated,
} from '../schema/fields.ts';
import { myMemberships, signedIn } from '../schema/readers.ts';

export const people = {
  /** The people who have signed in; `schema/schema.ts` adds how. */
  gh_users: define({
    covered: null,
    fields: [
      number('github_id'),
      text('username'),
      text('avatar'),
      // Private: the server adds these to the person's own record, and shows them to nobody else.
      json<'image', Contact['image']>('image', hidden),
      text('address', { ...hidden, max: 254 }),
      // The person's choice of e-mails about pull requests that wait for them, and its time; empty means never.
      text('notice_choice', { ...hidden, max: 20 }),
      date('notice_chosen', hidden),
      { name: 'email', type: 'email', system: true, required: false } as Field<'email', string>,
      created,
      updated,
    ],
    // SQLite uses the first one only for conditions that say "not 0".
    indexes: ['UNIQUE github_id WHERE github_id != 0', 'notice_choice', 'github_id'],
    readers: {
      // Shows id, GitHub id, login and picture to the person and to members of the same organization.
      rule: `${signedIn} && (id = @request.auth.id || org_members_via_user.org ?= ${myMemberships}.org)`,
      queries: null,
    },
    expires: 'never',
    people: [{ filter: 'github_id = {:githubId}', named: { id: 'github_id', login: 'username' } }],
    // Every session ends when the archive is packed.
    restored: 'from-backup',
  }),

  email_codes: define({
    covered: null,
    fields: [
      text('sig', { required: true }),
      relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
      text('email', { max: 254 }),
      // GitHub's id of the organization that it enrols in; 0 for the address of notices.
      number('org_id'),
      number('ts'),
      text('nonce'),
      date('expires'),
    ],
    indexes: ['UNIQUE sig', 'expires'],
    expires: { time: 'expires', keptMs: 0 },
    people: 'user',
    restored: 'emptied',
  }),
};

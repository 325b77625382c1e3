import { define } from '../schema/definition.ts';
import { created, hidden, json, number, relation, text } from '../schema/fields.ts';

export const policies = {
  /** Every policy that an organization ever had; the one with the highest number is in force. */
  policies: define({
    covered: [
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('number'),
      json('policy'),
      text('by'),
      text('by_login'),
      // The owner's signed statement, the assertion and its key; empty for a one-time code.
      json('statement', hidden),
      json('assertion', hidden),
      text('public_key', { ...hidden, max: 5000 }),
    ],
    coveredIds: ['org_github_id'],
    fields: [created],
    indexes: ['UNIQUE org, number'],
    expires: 'never',
    people: [
      {
        filter: 'by != "" && by = {:userId}',
        clear: { by: '', by_login: '', statement: null, assertion: null, public_key: '' },
      },
    ],
    restored: 'from-backup',
  }),
};

import { type OutgoingWebhookOutcome, outgoingWebhookKinds } from '../../../contract/outgoing-webhooks.ts';
import type { DeliveryState } from '../../../outgoing-webhooks/ports.ts';
import { define } from '../schema/definition.ts';
import { bool, created, date, hidden, json, number, relation, select, text } from '../schema/fields.ts';

export const hooks = {
  /** Where an organization's events go, and which were delivered. A hook that is set again is another record. */
  hooks: define({
    covered: [
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      select('kind', outgoingWebhookKinds),
      text('host', { max: 300 }),
      text('url', { ...hidden, max: 5000 }),
      text('secret', { ...hidden, max: 500 }),
    ],
    coveredIds: ['org_github_id'],
    fields: [
      bool('stopped'),
      number('position'),
      date('pulls_from'),
      json<'delivered', DeliveryState['delivered'] | null>('delivered'),
      number('tries'),
      date('failing_since'),
      date('due'),
      date('last_at'),
      json<'last_outcome', OutgoingWebhookOutcome | null>('last_outcome'),
      created,
    ],
    indexes: ['UNIQUE org, kind'],
    sealed: ['url', 'secret'],
    expires: 'never',
    people: 'nobody',
    restored: 'from-backup',
  }),
};

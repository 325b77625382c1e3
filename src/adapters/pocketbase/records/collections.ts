import { DAY_MS, define } from '../schema/definition.ts';
import { created, date, number, text } from '../schema/fields.ts';

/** The collections that belong to no room of the domain. */
export const store = {
  /** What works once; also who holds a lease. */
  one_time_keys: define({
    fields: [text('key', { required: true }), date('expires')],
    indexes: ['UNIQUE `key`', 'expires'],
    readers: 'server',
    mac: null,
    expires: { time: 'expires', keptMs: 0 },
    people: 'nobody',
    restored: 'from-backup',
  }),

  webhook_deliveries: define({
    fields: [text('guid', { required: true }), text('event'), number('installation_id'), created],
    indexes: ['UNIQUE guid', 'created', 'installation_id, created'],
    readers: 'server',
    mac: null,
    // GitHub redelivers webhooks for up to three days. We refuse replays for a month.
    expires: { time: 'created', keptMs: 30 * DAY_MS },
    people: 'nobody',
    restored: 'from-backup',
  }),

  schema_versions: define({
    fields: [number('version'), created],
    indexes: ['UNIQUE version'],
    readers: 'server',
    mac: null,
    expires: 'never',
    people: 'nobody',
    restored: 'from-backup',
  }),
};

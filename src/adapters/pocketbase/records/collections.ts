import { define } from '../schema/definition.ts';
import { created, date, number, text } from '../schema/fields.ts';

/** The collections that belong to no room of the domain. */
export const store = {
  /** The keys that were used up, each of which works once, and the periods of leases. */
  one_time_keys: define({
    covered: null,
    fields: [text('key', { required: true }), date('expires')],
    indexes: ['UNIQUE `key`', 'expires'],
    expires: { time: 'expires', keptMs: 0 },
    people: 'nobody',
    restored: 'from-backup',
  }),

  schema_versions: define({
    covered: null,
    fields: [number('version'), created],
    indexes: ['UNIQUE version'],
    expires: 'never',
    people: 'nobody',
    restored: 'from-backup',
  }),
};

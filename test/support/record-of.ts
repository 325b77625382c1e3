import type { Collection, Field } from '../../src/adapters/pocketbase/schema/fields.ts';

/** The values of a record that has every field of its collection, all of them valid. */
export type FullRecord = Record<string, unknown>;

/**
 * A full record of one of our collections. Another `number` makes one that differs in each unique field.
 *
 * @param related The id of a record of each collection, by the collection's id.
 */
export function recordOf(
  { type, fields }: Collection,
  related: Record<string, string>,
  number: number,
): FullRecord {
  const own = fields.filter((field) => field.type !== 'autodate');
  const values = Object.fromEntries(own.map((field) => [field.name, fieldValue(field, related, number)]));
  const password = `password-${number}`;
  return type === 'auth' ? { ...values, password, passwordConfirm: password } : values;
}

function fieldValue(field: Field, related: Record<string, string>, number: number): unknown {
  const { collectionId, maxSelect, values } = field as {
    collectionId?: string;
    maxSelect?: number;
    values?: string[];
  };
  const byType: Record<string, unknown> = {
    text: `${field.name}-${number}`,
    email: `${number}@unconfirmed.invalid`,
    number: 7_000 + number,
    bool: true,
    json: { of: number },
    date: '2999-01-01 00:00:00.000Z',
    select: values?.[0],
  };
  if (field.type !== 'relation') return byType[field.type];
  const id = related[collectionId ?? ''];
  return maxSelect === 1 ? id : [id];
}

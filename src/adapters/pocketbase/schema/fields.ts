declare const VALUE: unique symbol;

/** PocketBase's definition of a field, as its import takes it. `Value` is what a record has in it. */
export type Field<Name extends string = string, Value = unknown> = Record<string, unknown> & {
  name: Name;
  type: string;
  /** Carries the type of the value, and is never set. */
  [VALUE]?: () => Value;
};

/** A record with these fields. */
export type RecordWith<F extends Field> = { id: string } & {
  [One in F as One['name']]: One extends { [VALUE]?: () => infer Value } ? Value : never;
};

export type Collection = Record<string, unknown> & {
  id: string;
  name: string;
  type: 'base' | 'auth' | 'view';
  fields: Field[];
};

type Options = Record<string, unknown>;

export const text = <const Name extends string, Value extends string = string>(
  name: Name,
  options: Options = {},
): Field<Name, Value> => ({ name, type: 'text', max: 1000, ...options });

/** Makes fields of one type, which needs nothing but their names. */
const fieldOf =
  <Value>(type: string, defaults: Options = {}) =>
  <const Name extends string>(name: Name, options: Options = {}): Field<Name, Value> => ({
    name,
    type,
    ...defaults,
    ...options,
  });

export const number = fieldOf<number>('number', { onlyInt: true });
export const bool = fieldOf<boolean>('bool');
export const date = fieldOf<string>('date');
export const created = fieldOf<string>('autodate', { onCreate: true, onUpdate: false })('created');
export const updated = fieldOf<string>('autodate', { onCreate: true, onUpdate: true })('updated');

/**
 * What one JSON value may have, in bytes. The store refuses a longer one: what grows with people's content is bounded where
 * it's written, or is saved as unknown (`storeUnlessTooLarge`), because a value that stays the last one hides what changed since.
 */
export const MOST_JSON_BYTES = 1_000_000;

export const json = <const Name extends string, Value = unknown>(
  name: Name,
  options: Options = {},
): Field<Name, Value> => ({ name, type: 'json', maxSize: MOST_JSON_BYTES, ...options });

export const select = <const Name extends string, const Value extends string>(
  name: Name,
  values: readonly Value[],
): Field<Name, Value> => ({ name, type: 'select', maxSelect: 1, values: [...values] });

/** A policy can have so many long rules that the store refuses what a pull request or a deployment lacks: then that is unknown. */
export const storableLacks = <Lacks extends object[]>(lacks: Lacks): Lacks | null =>
  Buffer.byteLength(JSON.stringify(lacks)) > MOST_JSON_BYTES ? null : lacks;

/** Proves that OTP Guard wrote the record. Each collection with `covered` fields has it. */
export const mac = text('mac', { max: 200, hidden: true });

/** @param to The id of the other collection. */
export const relation = <const Name extends string, Value extends string | string[] = string>(
  name: Name,
  to: string,
  options: Options = {},
): Field<Name, Value> => ({
  name,
  type: 'relation',
  collectionId: to,
  maxSelect: 1,
  cascadeDelete: false,
  ...options,
});

/** No rule, `expand`, `filter`, `sort` or realtime event shows a hidden field. */
export const hidden = { hidden: true };

/**
 * @param indexes The columns of each index, which may begin with `UNIQUE ` and end with a `WHERE` clause.
 * @param readRule Who may list and view; null for the server alone.
 */
export function collection(
  name: string,
  fields: Field[],
  indexes: string[] = [],
  readRule: string | null = null,
): Collection {
  return {
    id: `pbc_${name}`,
    name,
    type: 'base',
    fields,
    indexes: indexes.map((columns, position) => createIndex(name, columns, position)),
    listRule: readRule,
    viewRule: readRule,
    // Every write is the server's: a user who could create a record could approve, or enrol, in anybody's name.
    createRule: null,
    updateRule: null,
    deleteRule: null,
  };
}

function createIndex(table: string, columns: string, position: number): string {
  const unique = columns.startsWith('UNIQUE ') ? 'UNIQUE ' : '';
  const [names = '', condition] = columns.replace(/^UNIQUE /, '').split(' WHERE ');
  const suffix = condition ? ` WHERE ${condition}` : '';
  return `CREATE ${unique}INDEX \`idx_${table}_${position}\` ON \`${table}\` (${names})${suffix}`;
}

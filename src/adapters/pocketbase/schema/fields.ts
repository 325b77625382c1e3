/** PocketBase's definition of a field, as its import takes it. */
export type Field = Record<string, unknown> & { name: string; type: string };

export type Collection = Record<string, unknown> & {
  id: string;
  name: string;
  type: 'base' | 'auth' | 'view';
  fields: Field[];
};

type Options = Record<string, unknown>;

export const text = (name: string, options: Options = {}): Field => ({
  name,
  type: 'text',
  max: 1000,
  ...options,
});

export const number = (name: string, options: Options = {}): Field => ({
  name,
  type: 'number',
  onlyInt: true,
  ...options,
});

export const bool = (name: string): Field => ({ name, type: 'bool' });

export const json = (name: string, options: Options = {}): Field => ({
  name,
  type: 'json',
  maxSize: 100_000,
  ...options,
});

export const date = (name: string): Field => ({ name, type: 'date' });

export const select = (name: string, values: string[]): Field => ({
  name,
  type: 'select',
  maxSelect: 1,
  values,
});

/** Proves that OTP Guard wrote the record: its collection's `mac` says what it covers. */
export const mac: Field = text('mac', { max: 200, hidden: true });

/** @param to The id of the other collection. */
export const relation = (name: string, to: string, options: Options = {}): Field => ({
  name,
  type: 'relation',
  collectionId: to,
  maxSelect: 1,
  cascadeDelete: false,
  ...options,
});

export const created: Field = { name: 'created', type: 'autodate', onCreate: true, onUpdate: false };
export const updated: Field = { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true };

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

import { expect, it } from '@jest/globals';
import { isAsWanted } from '../../../../src/adapters/pocketbase/migrate.ts';
import { collection, hidden, number, text } from '../../../../src/adapters/pocketbase/schema/fields.ts';

const WANTED = collection(
  'things',
  [text('name'), number('count'), text('secret', hidden)],
  ['UNIQUE name', 'count'],
  'id = "1"',
);
const id = { id: 'text1', name: 'id', type: 'text', system: true, required: true };
/** As PocketBase answers it. */
const found = () => ({
  ...structuredClone(WANTED),
  system: false,
  created: '2026-01-01',
  fields: [
    id,
    ...WANTED.fields.map((field) => ({ hidden: false, min: 0, pattern: '', id: field.name, ...field })),
  ],
});
type Found = ReturnType<typeof found> & { indexes: string[] };

it('a collection is as wanted with what the store adds to it', () => {
  expect(isAsWanted(WANTED, found())).toBe(true);
});

it.each<[string, (one: Found) => unknown]>([
  ['a wider rule', (one) => Object.assign(one, { listRule: '' })],
  ['a rule where nobody may', (one) => Object.assign(one, { createRule: '' })],
  ['another name', (one) => Object.assign(one, { name: 'former' })],
  ['an index less', (one) => one.indexes.pop()],
  ['an index more', (one) => one.indexes.push('CREATE INDEX `a` ON `things` (secret)')],
  ['another index', (one) => one.indexes.splice(0, 1, 'CREATE INDEX `idx_things_0` ON `things` (name)')],
  ['a field less', (one) => one.fields.pop()],
  ['a field of another type', (one) => Object.assign(one.fields[2] ?? {}, { type: 'text' })],
  ['a field that is shown', (one) => Object.assign(one.fields[3] ?? {}, { hidden: false })],
  ['a field that is hidden', (one) => Object.assign(one.fields[1] ?? {}, { hidden: true })],
  ['a field that refuses values', (one) => Object.assign(one.fields[1] ?? {}, { pattern: '^a$' })],
])('a collection with %s is not as wanted, and neither is a missing one', (_what, change) => {
  const one = found() as Found;
  change(one);
  expect([isAsWanted(WANTED, one), isAsWanted(WANTED, undefined)]).toEqual([false, false]);
});

import { expect, it } from '@jest/globals';
import type { WeakeningKind } from '../../../src/contract/protection.ts';
import { worstFirst } from '../../../src/protection/severity.ts';

let entry = 0;
const a = (kind: WeakeningKind, repoId: number | null, undone: Date | null = null) => {
  entry += 1;
  return { entry, repoId, undone, change: { kind, isWeaker: true, subject: '', before: '', after: '' } };
};
const many = (count: number, make: (index: number) => ReturnType<typeof a>) =>
  Array.from({ length: count }, (_, index) => make(index));
const kinds = (all: ReturnType<typeof a>[], most = 100) =>
  worstFirst(all.toReversed(), most).map(({ first, more }) => [first.change.kind, first.repoId, more]);

it('lists the switched-off ruleset first, whatever is newer, and the keys of one repository as one row', () => {
  const all = [a('ruleNotActive', 1), ...many(105, () => a('deployKeyAdded', 2)), a('deployKeyAdded', 3)];
  expect(kinds(all)).toEqual([
    ['ruleNotActive', 1, 0],
    ['deployKeyAdded', 3, 0],
    ['deployKeyAdded', 2, 104],
  ]);
});

it('lists of two as bad the lasting one, then the newer one', () => {
  const all = [a('ruleNotActive', 1), a('ruleNotActive', 2), a('checkNotRequired', 3, new Date())];
  expect(kinds(all).map(([, repo]) => repo)).toEqual([2, 1, 3]);
});

it('leaves out none of another kind or repository because a person made many of one', () => {
  const toggled = many(150, () => a('ruleNotActive', 1, new Date()));
  const all = [
    a('ownerAdded', null),
    a('checkFromAnySource', 2),
    ...toggled,
    ...many(9, (at) => a('deployKeyAdded', at)),
  ];
  const listed = kinds(all, 20);
  expect(listed).toHaveLength(20);
  expect(listed).toContainEqual(['ownerAdded', null, 0]);
  expect(listed[0]).toEqual(['checkFromAnySource', 2, 0]);
});

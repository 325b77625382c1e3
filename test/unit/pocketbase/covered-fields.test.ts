import { describe, expect, it } from '@jest/globals';
import {
  COVERED_FIELDS,
  type CoveredCollection,
  coveredValues,
} from '../../../src/pocketbase/records/covered-fields.ts';

/** Every field that a collection got when its records already had MACs, with a value that means something. */
const added = Object.entries(COVERED_FIELDS).flatMap(([collection, coverage]) =>
  Object.keys('added' in coverage ? coverage.added : {}).map(
    (name) => [collection as CoveredCollection, name] as const,
  ),
);

describe('a field that was added to records with a MAC', () => {
  it.each(added)(
    '%s.%s is covered if it is set, and leaves old MACs right if it is not',
    (collection, name) => {
      const old = { id: 'record' };
      const before = coveredValues(collection, old);
      expect(coveredValues(collection, { ...old, [name]: '' })).toEqual(before);
      expect(coveredValues(collection, { ...old, [name]: '1' })).not.toEqual(before);
    },
  );
});

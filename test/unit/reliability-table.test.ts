import { describe, expect, test } from '@jest/globals';
import {
  missingFiles,
  missingTests,
  named,
  notTests,
  type Row,
  read,
  tableRows,
  testsOf,
} from '../support/doc-table.ts';

const rows = tableRows(read('docs/reliability.md'));

/** Where no test shows it, the row says so, and why. */
const isOpen = (row: Row) => testsOf(row).length === 0;

test('the table is whole: every row has its cells', () => {
  expect(rows.length).toBeGreaterThan(50);
  for (const { columns, cells } of rows) {
    expect(columns).toEqual(['failure', 'what people see', 'what repairs it', 'shown by']);
    expect(cells).toHaveLength(columns.length);
    expect(cells.filter((text) => text === '')).toEqual([]);
  }
});

test('no failure stands there twice', () => {
  const failures = named(rows).map(([name]) => name);
  expect(failures).toEqual([...new Set(failures)]);
});

describe('a row', () => {
  test.each(named(rows))('is shown by tests that are there, or says why by none: %s', (_, row) => {
    expect(missingFiles(testsOf(row).map(({ file }) => file))).toEqual([]);
    expect(missingTests(row)).toEqual([]);
    // A test that is expected to fail shows nothing.
    expect(testsOf(row).flatMap(({ names }) => names.filter((name) => name.startsWith('BUG')))).toEqual([]);
    // Nothing else is in the cell, but for the reason of a row without a test.
    expect(notTests(row)).toMatch(isOpen(row) ? /^None yet: \S/ : /^$/);
  });
});

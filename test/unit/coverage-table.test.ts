import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  cell,
  codes,
  escaped,
  missingFiles,
  missingTests,
  named,
  notTests,
  pathOf,
  type Row,
  read,
  tableRows,
  testsOf,
} from '../support/doc-table.ts';

const rows = tableRows(read('docs/coverage.md'));

/** Where a row says that there is nothing, it says why. */
const isNowhere = (row: Row) => /^Nowhere: \S/.test(cell(row, 'built in'));
const builtIn = (row: Row) => (isNowhere(row) ? [] : codes(cell(row, 'built in')));
/** The message of a row. */
const textOf = (row: Row) => codes(row.cells[0] ?? '')[0] ?? '';

/** As it reads, whatever the line ends and the indentation. */
const flat = (text: string) => text.replace(/\s+/g, ' ');

test('the table is whole: every row has its cells', () => {
  expect(rows.length).toBeGreaterThan(130);
  for (const { columns, cells } of rows) {
    expect(columns.slice(-2)).toEqual(['built in', 'met by']);
    expect(cells).toHaveLength(columns.length);
  }
});

describe('a row', () => {
  test.each(named(rows))('names files that exist: %s', (_, row) => {
    expect(missingFiles([...builtIn(row), ...testsOf(row).map(({ file }) => file)])).toEqual([]);
  });

  test.each(named(rows.filter((row) => !isNowhere(row))))('is built, and met by a test: %s', (_, row) => {
    expect(builtIn(row)).not.toEqual([]);
    expect(testsOf(row)).not.toEqual([]);
  });

  test.each(named(rows))('names tests that are there: %s', (_, row) => {
    expect(missingTests(row)).toEqual([]);
    // Nothing in the cell is written in a way that this test passes over.
    expect(notTests(row).replace('—', '').trim()).toBe('');
  });
});

describe('a message', () => {
  const messages = rows.filter(({ section }) => section === 'Messages');
  const sources = ['src', 'web/src'].flatMap((folder) =>
    readdirSync(pathOf(folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(folder, file)),
  );

  test.each(named(messages.filter((row) => !isNowhere(row))))('stands word for word: %s', (_, row) => {
    expect(textOf(row)).not.toBe('');
    expect(builtIn(row).filter((file) => !flat(read(file)).includes(textOf(row)))).toEqual([]);
  });

  test.each(named(messages.filter(isNowhere)))('that is said nowhere is in no file: %s', (_, row) => {
    expect(textOf(row)).not.toBe('');
    const whole = new RegExp(`['"\`>]${escaped(textOf(row))}['"\`<]`);
    expect(sources.filter((file) => whole.test(flat(read(file))))).toEqual([]);
  });
});

test('every page of the dashboard has its row, and there is no other', () => {
  const routes = read('web/src/routes/routes.tsx').matchAll(/(?:path: |page\()'([^']+)'/g);
  const pages = rows.filter(({ section }) => section === 'Pages');
  expect(pages.map(textOf).toSorted()).toEqual([...routes].map(([, path]) => path).toSorted());
});

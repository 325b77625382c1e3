import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** A row of a table in docs/coverage.md; `columns` are the names above it. */
type Row = { section: string; columns: string[]; cells: string[] };

const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

function tableRows(page: string): Row[] {
  const found: Row[] = [];
  let section = '';
  let columns: string[] = [];
  for (const line of page.split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3);
    if (!line.startsWith('|')) columns = [];
    else if (columns.length === 0) columns = cellsOf(line);
    else if (!/^[| -]+$/.test(line)) found.push({ section, columns, cells: cellsOf(line) });
  }
  return found;
}

const rows = tableRows(read('docs/coverage.md'));
const named = (list: Row[]) => list.map((row) => [`${row.section}: ${row.cells[0]}`, row] as const);

const cell = ({ columns, cells }: Row, name: string) => cells[columns.indexOf(name)] ?? '';
const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
/** Where a row says that there is nothing, it says why. */
const isNowhere = (row: Row) => /^Nowhere: \S/.test(cell(row, 'built in'));
const builtIn = (row: Row) => (isNowhere(row) ? [] : codes(cell(row, 'built in')));
/** The message of a row. */
const textOf = (row: Row) => codes(row.cells[0] ?? '')[0] ?? '';

const TESTS = /`([^`]+)`((?: “[^“”]+”)+)/g;

/** The tests of a row: a file, then the names of tests in it. */
const tests = (row: Row) =>
  [...cell(row, 'met by').matchAll(TESTS)].map(([, file = '', names = '']) => ({
    file,
    names: [...names.matchAll(/“([^“”]+)”/g)].map(([, name = '']) => name),
  }));

/** As it reads, whatever the line ends and the indentation. */
const flat = (text: string) => text.replace(/\s+/g, ' ');
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

test('the table is whole: every row has its cells', () => {
  expect(rows.length).toBeGreaterThan(130);
  for (const { columns, cells } of rows) {
    expect(columns.slice(-2)).toEqual(['built in', 'met by']);
    expect(cells).toHaveLength(columns.length);
  }
});

describe('a row', () => {
  test.each(named(rows))('names files that exist: %s', (_, row) => {
    const files = [...builtIn(row), ...tests(row).map(({ file }) => file)];
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  test.each(named(rows.filter((row) => !isNowhere(row))))('is built, and met by a test: %s', (_, row) => {
    expect(builtIn(row)).not.toEqual([]);
    expect(tests(row)).not.toEqual([]);
  });

  test.each(named(rows))('names tests that are there: %s', (_, row) => {
    for (const { file, names } of tests(row)) {
      const source = read(file);
      expect(names.filter((name) => !new RegExp(`['"\`]${escaped(name)}['"\`]`).test(source))).toEqual([]);
    }
    // Nothing in the cell is written in a way that this test passes over.
    expect(cell(row, 'met by').replace(TESTS, '').replace('—', '').trim()).toBe('');
  });
});

describe('a message', () => {
  const messages = rows.filter(({ section }) => section === 'Messages');
  const sources = ['src', 'web/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
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

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A file of this repository, by its path from the root. */
export const pathOf = (file: string) => join(root, file);
export const read = (file: string) => readFileSync(pathOf(file), 'utf8');

/** A row of a table in a page of docs; `columns` are the names above it. The last cell names tests. */
export type Row = { section: string; columns: string[]; cells: string[] };

const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** Every row of every table of a page. */
export function tableRows(page: string): Row[] {
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

/** For `test.each`: each row with a name of its own. */
export const named = (rows: Row[]) => rows.map((row) => [`${row.section}: ${row.cells[0]}`, row] as const);

export const cell = ({ columns, cells }: Row, name: string) => cells[columns.indexOf(name)] ?? '';
export const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
export const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const TESTS = /`([^`]+)`((?: “[^“”]+”)+)/g;
const lastCell = ({ cells }: Row) => cells.at(-1) ?? '';

/** The tests of a row: a file, then the names of tests in it. */
export const testsOf = (row: Row) =>
  [...lastCell(row).matchAll(TESTS)].map(([, file = '', names = '']) => ({
    file,
    names: [...names.matchAll(/“([^“”]+)”/g)].map(([, name = '']) => name),
  }));

/** What of the last cell is written in a way that `testsOf` passes over. */
export const notTests = (row: Row) => lastCell(row).replace(TESTS, '').trim();

export const missingFiles = (files: string[]) => files.filter((file) => !existsSync(pathOf(file)));

/** The tests that a row names and that are not in their file, as `file: name`. */
export const missingTests = (row: Row) =>
  testsOf(row).flatMap(({ file, names }) => {
    const source = read(file);
    const isThere = (name: string) => new RegExp(`['"\`]${escaped(name)}['"\`]`).test(source);
    return names.filter((name) => !isThere(name)).map((name) => `${file}: ${name}`);
  });

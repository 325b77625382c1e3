import type { ActivityData } from '../../../../../src/contract/activity.ts';

/** Excel takes UTF-8 without this mark for another encoding. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** A row of RFC 4180. */
export const csvRow = (cells: readonly unknown[]) => `${cells.map(cell).join(',')}\r\n`;

/**
 * Spreadsheets take a cell that begins like this for a formula, and people chose some of these texts. In many languages
 * they end a cell at a semicolon, and then read our quotes as they come.
 */
const FORMULA = /(^|;)(?="*[=+\-@\t\r\n])/g;

function cell(value: unknown): string {
  return `"${String(value ?? '')
    .replace(FORMULA, "$1'")
    .replaceAll('"', '""')}"`;
}

const COLUMNS = [
  ...['number', 'time', 'kind', 'person', 'text', 'repository', 'pull request', 'commit', 'authenticator'],
  ...['label', 'about', 'person id', 'base', 'user verified'],
];

/** The first row of a table of log entries. */
export const CSV_HEAD = `${BYTE_ORDER_MARK}${csvRow(COLUMNS)}`;

type CsvEntry = {
  number: number;
  at: string | undefined;
  kind: string;
  login: string | undefined;
  text: string;
  data: ActivityData;
  personId?: number | undefined;
  userVerified?: boolean | undefined;
};

/** A log entry as a row, with the text of the page. */
export function csvEntry({ number, at, kind, login, text, data, personId, userVerified }: CsvEntry): string {
  const { repo, pr, sha, type, label, user, base } = data;
  const about = [repo, pr, sha, type, label, user];
  return csvRow([number || '', at, kind, login, text, ...about, personId, base, userVerified]);
}

import type { ActivityData } from '../../../../../src/contract/activity.ts';
import type { ExportedEntry } from '../../../../../src/contract/receipts.ts';
import { entryText } from '../log/entry-text.ts';
import { plainText } from '../log/part.ts';
import type { LogFormat } from './export-log.ts';

const COLUMNS = [
  'number',
  'time',
  'kind',
  'person',
  'text',
  'repository',
  'pull request',
  'commit',
  'authenticator',
  'label',
  'about',
  'person id',
  'base',
  'user verified',
] as const;

/** Without it, Excel takes UTF-8 for another encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A table for people: one row for each entry. It proves nothing; the audit file does. */
export const csvFile: LogFormat = {
  begin: () => `${BYTE_ORDER_MARK}${row([...COLUMNS])}`,
  entries: (entries) => entries.map((entry) => row(cellsOf(entry))).join(''),
  between: '',
  end: () => '',
};

function cellsOf({ number, event, person }: ExportedEntry): unknown[] {
  const data: ActivityData = { ...event?.data, ...person?.data };
  const kind = event?.activity ?? '';
  const { by } = person?.facts ?? {};
  const login = person ? (by?.login ?? data.login) : '(erased)';
  const text = event ? plainText(entryText({ kind, data })) : '(erased)';
  return [
    ...[number, event?.at, kind, login, text],
    ...[data.repo, data.pr, data.sha, data.type, data.label, data.user],
    ...[by?.id, data.base, event?.facts.userVerified],
  ];
}

/** A row of RFC 4180. */
const row = (cells: unknown[]) => `${cells.map(cell).join(',')}\r\n`;

/** Spreadsheets take a cell that begins like this for a formula, and people chose some of these texts. */
const FORMULA = /^[=+\-@\t\r\n]/;

function cell(value: unknown): string {
  const text = String(value ?? '');
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

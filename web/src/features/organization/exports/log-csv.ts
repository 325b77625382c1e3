import type { ActivityData } from '../../../../../src/contract/activity.ts';
import type { ExportedEntry } from '../../../../../src/contract/receipts.ts';
import { entryText } from '../log/entry-text.ts';
import { plainText } from '../log/part.ts';
import { BYTE_ORDER_MARK, csvRow } from './csv.ts';
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

/** A table for people: one row for each entry. It proves nothing; the audit file does. */
export const csvFile: LogFormat = {
  begin: () => `${BYTE_ORDER_MARK}${csvRow(COLUMNS)}`,
  entries: (entries) => entries.map((entry) => csvRow(cellsOf(entry))).join(''),
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

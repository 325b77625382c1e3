import type { ActivityData } from '../../../../../src/contract/activity.ts';
import type { ExportedEntry, LogExport, LogExportPage } from '../../../../../src/contract/receipts.ts';
import type { ApiClient } from '../../../lib/api-client.ts';
import { plainEntryText } from '../log/entry-text.ts';
import { BYTE_ORDER_MARK, csvRow } from './csv.ts';
import { type Job, readPages } from './read-pages.ts';

/** How a log is written to a file: one text for each page of entries, and what stands around them. */
export type LogFormat = {
  begin: (first: LogExport) => string;
  entries: (entries: ExportedEntry[]) => string;
  between: string;
  end: (last: LogExport) => string;
};

type Deps = { api: ApiClient; accessToken: () => string };
type Input = { orgID: number; from?: string; to?: string };

/**
 * Reads a period of the log and writes it in a format.
 *
 * @returns The parts of the file, and how many entries it has. Rejects with an `ApiError`.
 */
export async function exportLog(
  { api, accessToken }: Deps,
  input: Input,
  { format, job }: { format: LogFormat; job: Job },
): Promise<{ parts: string[]; count: number }> {
  const parts: string[] = [];
  let count = 0;
  let last: LogExportPage | null = null;
  const read = (after?: number) =>
    api.post<LogExportPage>(
      '/log-export',
      { ...input, ...(after !== undefined && { after }), accessToken: accessToken() },
      job.signal,
    );
  for await (const page of readPages<LogExportPage>(job, read)) {
    if (last && last.log !== page.log) throw new Error('The log changed during the export. Export it again.');
    if (!last) parts.push(format.begin(page));
    if (page.entries.length > 0) parts.push(count > 0 ? format.between : '', format.entries(page.entries));
    count += page.entries.length;
    // A period can end with a page without entries, which proves nothing.
    if (!last || page.entries.length > 0) last = page;
    job.onProgress(`Exported ${count.toLocaleString('en')} entries.`);
  }
  if (last) parts.push(format.end(last));
  return { parts, count };
}

/**
 * The file that `otp-guard audit` and the page `/verify` read: the pages joined to one. What is left of the first
 * entry is in the first page, and what is right of the last entry in the last one, with its checkpoint.
 */
export const auditFile: LogFormat = {
  begin: ({ version, log, org, left }) =>
    `${JSON.stringify({ version, log, org, left }).slice(0, -1)},\n"entries":[\n`,
  entries: (entries) => entries.map((entry) => JSON.stringify(entry)).join(',\n'),
  between: ',\n',
  end: ({ checkpoint, right }) => `\n],\n${JSON.stringify({ checkpoint, right }).slice(1)}\n`,
};

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
  const text = event ? plainEntryText({ kind, data }) : '(erased)';
  return [
    ...[number, event?.at, kind, login, text],
    ...[data.repo, data.pr, data.sha, data.type, data.label, data.user],
    ...[by?.id, data.base, event?.facts.userVerified],
  ];
}

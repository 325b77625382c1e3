import type { ActivityData } from '../../../../../src/contract/activity.ts';
import type { ExportedEntry } from '../../../../../src/contract/log-entry.ts';
import type { LogExport, LogExportPage } from '../../../../../src/contract/receipts.ts';
import type { Poster } from '../../../lib/api/api-client.ts';
import { CSV_HEAD, csvEntry } from '../download/csv.ts';
import { type Job, readPages } from '../download/read-pages.ts';
import { plainEntryText } from '../log/entry-text.ts';

type Deps = { api: Poster; accessToken: () => string };
type Input = { orgID: number; from?: string; to?: string };

/** The first and the last page of an export, and each entry as it was written. */
type Exported = { first: LogExport; last: LogExport; entries: string[] };

/** The format in which a log is written to a file. */
type LogFormat = { write: (entry: ExportedEntry) => string; parts: (exported: Exported) => string[] };

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
  const entries: string[] = [];
  let first: LogExportPage | undefined;
  let last: LogExportPage | undefined;
  const read = (after?: number) =>
    api.post(
      '/log-export',
      { ...input, ...(after !== undefined && { after }), accessToken: accessToken() },
      job.signal,
    );
  for await (const page of readPages<LogExportPage>(job, read)) {
    first ??= page;
    if (first.log !== page.log) throw new Error('The log changed during the export. Export it again.');
    for (const entry of page.entries) entries.push(format.write(entry));
    // A period can end with a page without entries, which proves nothing.
    if (!last || page.entries.length > 0) last = page;
    job.onProgress(`Exported ${entries.length.toLocaleString('en')} entries.`);
  }
  const parts = first && last ? format.parts({ first, last, entries }) : [];
  return { parts, count: entries.length };
}

/**
 * The file that `otp-guard audit` and the page `/verify` read: the pages joined to one. The first page has the proof of
 * everything left of the first entry, and the last page that of everything right of the last entry, with its checkpoint.
 */
export const auditFile: LogFormat = {
  write: JSON.stringify,
  parts: ({ first: { version, log, org, left }, last: { checkpoint, right }, entries }) => [
    `${JSON.stringify({ version, log, org, left }).slice(0, -1)},\n"entries":[\n`,
    ...entries.map((entry, at) => (at === 0 ? entry : `,\n${entry}`)),
    `\n],\n${JSON.stringify({ checkpoint, right }).slice(1)}\n`,
  ],
};

/** A table for people: one row for each entry. It proves nothing; the audit file does. */
export const csvFile: LogFormat = {
  write({ number, event, person }) {
    const data: ActivityData = { ...event?.data, ...person?.data };
    const kind = event?.activity ?? '';
    const { by } = person?.facts ?? {};
    return csvEntry({
      ...{ number, at: event?.at, kind, data },
      login: person ? (by?.login ?? data.login) : '(erased)',
      text: event ? plainEntryText({ kind, data }) : '(erased)',
      personId: by?.id,
      userVerified: event?.facts.userVerified,
    });
  },
  parts: ({ entries }) => [CSV_HEAD, ...entries],
};

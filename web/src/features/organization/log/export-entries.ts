import type { RecordStore } from '../../../lib/react/record-store.ts';
import { toIso } from '../../../lib/times.ts';
import { CSV_HEAD, csvEntry } from '../download/csv.ts';
import { type Job, readPages } from '../download/read-pages.ts';
import type { Entry } from './entry.ts';
import { plainEntryText } from './entry-text.ts';
import type { LogFilters } from './filters.ts';
import { type LogQuery, PAGE_SIZE, readOlder } from './read-log.ts';

/** Every entry that the query matches, newest first. Rejects as the record store's client does. */
export async function readEveryEntry(store: RecordStore, query: LogQuery, job: Job): Promise<Entry[]> {
  const entries: Entry[] = [];
  const read = async (after?: Entry) => {
    const page = await readOlder(store, query, after);
    return { page, next: page.length < PAGE_SIZE ? null : page.at(-1) };
  };
  for await (const { page } of readPages(job, read)) {
    job.signal.throwIfAborted();
    entries.push(...page);
    job.onProgress(`Read ${entries.length.toLocaleString('en')} entries.`);
  }
  return entries;
}

/** A table for people, with the texts of the page. */
export const entriesAsCsv = (entries: Entry[]): string[] => [
  CSV_HEAD,
  ...entries.map((entry) => csvEntry({ ...entry, at: toIso(entry.at), text: plainEntryText(entry) })),
];

type About = { organization: string; filters: LogFilters };

/** Writes the entries as JSON for programs. `/verify` doesn't take it for an export of the log, because it has no checkpoint. */
export const entriesAsJson = (entries: Entry[], about: About): string[] => [
  `${JSON.stringify({ ...about, note: NOTE }).slice(0, -1)},\n"entries":[\n`,
  ...entries.map((entry, index) => {
    const { number, at, kind, login, data } = entry;
    const text = plainEntryText(entry);
    return `${index > 0 ? ',\n' : ''}${JSON.stringify({ number, at: toIso(at), kind, person: login, text, data })}`;
  }),
  '\n]}\n',
];

const NOTE = 'A list to read. It proves nothing: to audit the log, export it on the page of exports.';

import type { ActivityKind } from '../../../../../src/contract/activity.ts';
import { isActivityKind } from '../../../../../src/contract/activity-words.ts';
import { KIND_NAMES } from './entry-text.ts';

/** Limits the log; an empty filter matches everything. */
export type LogFilters = {
  /** A login, or a part of one. */
  person: string;
  kind: ActivityKind | '';
  /** A repository's name without its owner, or a part of one. */
  repository: string;
  /** The first and the last day, `2026-11-21`, in the reader's time zone. */
  from: string;
  to: string;
};

export const NO_FILTERS: LogFilters = { person: '', kind: '', repository: '', from: '', to: '' };

/** Neither logins nor names of repositories are longer. */
export const LONGEST_NAME = 100;

/** Reads the filters from the query string; an unknown kind and an impossible day count as none. */
export function readFilters(search: string): LogFilters {
  const params = new URLSearchParams(search);
  const text = (name: string) => params.get(name) ?? '';
  const kind = text('kind');
  return {
    person: searched(text('person')).replace(/^@/, ''),
    kind: isActivityKind(kind) ? kind : '',
    repository: searched(text('repository')),
    from: isDay(text('from')) ? text('from') : '',
    to: isDay(text('to')) ? text('to') : '',
  };
}

/** The typed text, as the store can search for it. */
export const searched = (typed: string) =>
  withoutUnquotable(typed).replaceAll('%', '').trim().slice(0, LONGEST_NAME);

/** No name has these characters, and the server refuses them in a filter of the record store. */
const withoutUnquotable = (text: string) => text.replace(/[\\\p{Cc}]/gu, '');

const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(new Date(`${text}T00:00:00`).getTime());

/** The filters as changes to the query string, which then begins at the newest entry; an empty filter leaves it. */
export const filtersQuery = (filters: LogFilters): Record<string, string | null> => ({
  ...Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, value || null])),
  before: null,
});

export const isFiltered = (filters: LogFilters) => Object.values(filters).some((value) => value !== '');

/** The filters in words, for a print and a file; empty without one. */
export function filtersText({ person, kind, repository, from, to }: LogFilters): string {
  return [
    person && `person “${person}”`,
    kind && `kind “${KIND_NAMES[kind]}”`,
    repository && `repository “${repository}”`,
    from && `from ${from}`,
    to && `to ${to}`,
  ]
    .filter(Boolean)
    .join(', ');
}

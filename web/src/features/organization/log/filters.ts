import type { ActivityKind } from '../../../../../src/contract/activity.ts';
import { isActivityKind } from './entry-text.ts';

/** Limits the log to one person (by login) and one kind of activity; an empty filter matches everything. */
export type LogFilters = { person: string; kind: ActivityKind | '' };

const LONGEST_PERSON = 100;

/** Reads the filters from the query string; an unknown kind counts as none. */
export function readFilters(search: string): LogFilters {
  const params = new URLSearchParams(search);
  const kind = params.get('kind') ?? '';
  return {
    person: (params.get('person') ?? '').trim().replace(/^@/, '').slice(0, LONGEST_PERSON),
    kind: isActivityKind(kind) ? kind : '',
  };
}

/** The filters as changes to the query string; an empty filter leaves it. */
export const filtersQuery = ({ person, kind }: LogFilters) => ({
  person: person || null,
  kind: kind || null,
});

export const isFiltered = ({ person, kind }: LogFilters) => person !== '' || kind !== '';

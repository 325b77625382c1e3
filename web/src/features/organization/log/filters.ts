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
    person: withoutUnquotable(params.get('person') ?? '')
      .trim()
      .replace(/^@/, '')
      .slice(0, LONGEST_PERSON),
    kind: isActivityKind(kind) ? kind : '',
  };
}

/** No login has these characters, and the server refuses them in a filter of the record store. */
export const withoutUnquotable = (text: string) => text.replace(/[\\\p{Cc}]/gu, '');

/** The filters as changes to the query string; an empty filter leaves it. */
export const filtersQuery = ({ person, kind }: LogFilters) => ({
  person: person || null,
  kind: kind || null,
});

export const isFiltered = ({ person, kind }: LogFilters) => person !== '' || kind !== '';

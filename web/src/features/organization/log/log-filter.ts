import type { ActivityKind } from '../../../../../src/contract/activity.ts';
import { isKnown } from './sentence.ts';

/** Of which entries the log is shown: of one person by login, and of one kind; empty means all. */
export type LogFilter = { person: string; kind: ActivityKind | '' };

/** Reads the filter out of the address; a kind that there is not is none. */
export function readLogFilter(search: string): LogFilter {
  const params = new URLSearchParams(search);
  const kind = params.get('kind') ?? '';
  return {
    person: (params.get('person') ?? '').trim().replace(/^@/, '').slice(0, 100),
    kind: isKnown(kind) ? kind : '',
  };
}

/** The filter as changes to the query; what is empty is left out. */
export const filterQuery = ({ person, kind }: LogFilter) => ({ person: person || null, kind: kind || null });

export const isFiltered = ({ person, kind }: LogFilter) => person !== '' || kind !== '';

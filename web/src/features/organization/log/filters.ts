import { activityKinds } from '../../../../../src/contract/activity.ts';
import { LOG_WORDS } from '../../../../../src/contract/events/log-text.ts';
import { type FiltersOf, filtersOf, oneOf, searchText } from '../../../lib/react/use-filters.ts';

/**
 * Reads a text that the store can search for: without characters that no name has, and that the server refuses in a
 * filter of the record store.
 */
export const storeText = (text: string | null) => searchText((text ?? '').replace(/[\\%\p{Cc}]/gu, ''));

const day = (text: string | null) =>
  text && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';

/** The filters of the log. An empty one matches everything; an unknown kind and an impossible day count as none. */
export const LOG_FILTERS = filtersOf({
  /** A login, or a part of one. */
  person: (text) => storeText(text).replace(/^@/, ''),
  kind: oneOf(['', ...activityKinds]),
  /** A repository's name without its owner, or a part of one. */
  repository: storeText,
  /** The first and the last day, `2026-11-21`, in the reader's time zone. */
  from: day,
  to: day,
});

export type LogFilters = FiltersOf<typeof LOG_FILTERS>;

/** The filters in words, for a print and a file; empty without one. */
export function filtersText({ person, kind, repository, from, to }: LogFilters): string {
  return [
    person && `person “${person}”`,
    kind && `kind “${LOG_WORDS[kind].name}”`,
    repository && `repository “${repository}”`,
    from && `from ${from}`,
    to && `to ${to}`,
  ]
    .filter(Boolean)
    .join(', ');
}

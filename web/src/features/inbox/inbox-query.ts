import type { InboxQuestion } from '../../../../src/contract/inbox.ts';
import { type FiltersOf, filtersOf, oneOf, searchText } from '../../lib/react/use-filters.ts';

/** Reads `owner/repository`. */
const repositoryName = (text: string | null) => (text ?? '').trim().slice(0, 200);

/**
 * The inbox's tab, order, search and filters. Other pages keep the address's parameters, so the search (`find`) and the
 * repository (`in`) have names that no list of theirs uses.
 */
export const INBOX_FILTERS = filtersOf({
  tab: oneOf(['auto', 'for-you', 'may-approve']),
  order: oneOf(['waiting', 'newest']),
  find: searchText,
  in: repositoryName,
  rule: searchText,
  agents: oneOf(['any', 'only']),
});
export type InboxFilters = FiltersOf<typeof INBOX_FILTERS>;

/** The changes to an address that leave the inbox as it opens, with all of it. */
export const NO_FILTERS = Object.fromEntries(Object.keys(INBOX_FILTERS.none).map((name) => [name, null]));

export const questionOf = ({ find, in: repository, agents, ...others }: InboxFilters): InboxQuestion => ({
  ...others,
  search: find,
  repository,
  ...(agents === 'only' && { agents: true }),
});

/** Tells whether the tab is narrowed. */
export const isFiltered = ({ find, in: repository, rule, agents }: InboxFilters): boolean =>
  Boolean(find || repository || rule || agents === 'only');

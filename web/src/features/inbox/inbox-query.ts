import type { InboxOrder, InboxTab } from '../../../../src/contract/inbox.ts';

/** The inbox's tab, order, search and filters, as the address has them. */
export type InboxFilters = {
  tab: InboxTab;
  order: InboxOrder;
  search: string;
  repository: string;
  rule: string;
};

/** Other pages keep the address's parameters, so the search has a name that no list of theirs uses. */
const NAMES = { tab: 'tab', order: 'order', search: 'find', repository: 'in', rule: 'rule' } as const;

const LONGEST_SEARCH = 100;

/** The changes to an address that leave the tab of what waits for the person, with all of it. */
export const NO_FILTERS: Record<string, null> = Object.fromEntries(
  Object.values(NAMES).map((name) => [name, null]),
);

/** Anything unknown counts as the usual. */
export function readInboxFilters(query: string): InboxFilters {
  const params = new URLSearchParams(query);
  const text = (name: string, most: number) => (params.get(name) ?? '').trim().slice(0, most);
  return {
    tab: params.get(NAMES.tab) === 'may-approve' ? 'may-approve' : 'for-you',
    order: params.get(NAMES.order) === 'newest' ? 'newest' : 'waiting',
    search: text(NAMES.search, LONGEST_SEARCH),
    repository: text(NAMES.repository, 200),
    rule: text(NAMES.rule, 100),
  };
}

/** The filters as changes to the address: the usual has no parameter. */
export const writeInboxFilters = ({
  tab,
  order,
  search,
  repository,
  rule,
}: InboxFilters): Record<string, string | null> => ({
  [NAMES.tab]: tab === 'for-you' ? null : tab,
  [NAMES.order]: order === 'waiting' ? null : order,
  [NAMES.search]: search || null,
  [NAMES.repository]: repository || null,
  [NAMES.rule]: rule || null,
});

export const isFiltered = ({ search, repository, rule }: InboxFilters): boolean =>
  [search, repository, rule].some(Boolean);

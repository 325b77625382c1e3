import { useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { keepQuery } from '../address/page-context.ts';

type Query<Filters> = {
  read(query: string): Filters;
  /** The filters as changes to the query string; null removes a parameter. */
  write(filters: Filters): Record<string, string | null>;
};

/**
 * The filters of a list, kept in the address. `read` must keep its identity between renders. `apply` changes some of
 * them. It replaces the address instead of adding to the history, so *Back* leaves the list.
 */
export function useFilters<Filters>({ read, write }: Query<Filters>) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const filters = useMemo(() => read(search), [read, search]);
  const apply = (part: Partial<Filters>) =>
    void navigate(keepQuery(pathname, search, write({ ...filters, ...part })), { replace: true });
  return { filters, apply };
}

/** Reads each filter from its parameter; null if the address has none. */
type Readers = Record<string, (text: string | null) => string | null>;

/** The value of each filter. */
export type FiltersOf<Query extends { none: unknown }> = Query['none'];

/** Filters that are parameters of the same name. A filter limits nothing while it is what its reader makes of null. */
export function filtersOf<All extends Readers>(readers: All) {
  type Filters = { [Name in keyof All]: ReturnType<All[Name]> };
  const read = (query: string) => {
    const params = new URLSearchParams(query);
    const values = Object.entries(readers).map(([name, reader]) => [name, reader(params.get(name))]);
    return Object.fromEntries(values) as Filters;
  };
  const none = read('');
  const isSet = ([name, value]: [string, string | null]) => value !== none[name];
  return {
    read,
    none,
    write: (filters: Filters): Record<string, string | null> =>
      Object.fromEntries(Object.entries(filters).map((one) => [one[0], isSet(one) ? one[1] : null])),
    isFiltered: (filters: Filters) => Object.entries(filters).some(isSet),
  };
}

/** The longest text that a search takes: no name is longer. */
export const LONGEST_SEARCH = 100;

/** Reads a text to search for; empty without one. */
export const searchText = (text: string | null) => (text ?? '').trim().slice(0, LONGEST_SEARCH);

/** Reads one of some values; the first one stands for anything else. */
export const oneOf =
  <const Value extends string>(values: readonly [Value, ...Value[]]) =>
  (text: string | null): Value =>
    values.find((value) => value === text) ?? values[0];

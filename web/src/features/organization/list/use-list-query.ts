import { useCallback } from 'react';
import { useFilters } from '../../../lib/use-filters.ts';
import { useTyped } from '../../../lib/use-typed.ts';

const LONGEST_SEARCH = 100;

type ListQuery<State extends string> = { search: string; state: State };

/** Reads a list's search and filter from the query string; an unknown filter counts as the first one. */
function readListQuery<State extends string>(
  query: string,
  states: readonly [State, ...State[]],
): ListQuery<State> {
  const params = new URLSearchParams(query);
  return {
    search: (params.get('search') ?? '').trim().slice(0, LONGEST_SEARCH),
    state: states.find((state) => state === params.get('state')) ?? states[0],
  };
}

/**
 * A list's search and filter, kept in the address. They replace the address instead of adding to the history, so *Back*
 * leaves the list. `states` must keep its identity between renders.
 */
export function useListQuery<State extends string>(states: readonly [State, ...State[]]) {
  const { filters, apply } = useFilters({
    read: useCallback((query: string) => readListQuery(query, states), [states]),
    write: ({ search, state }) => ({ search: search || null, state: state === states[0] ? null : state }),
  });
  const { input } = useTyped(filters.search, (search) => apply({ ...filters, search }, true));
  return { ...filters, input, choose: (state: State) => apply({ ...filters, state }, true) };
}

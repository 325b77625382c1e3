import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { keepQuery } from '../../../lib/page-context.ts';

const PAUSE_MS = 250;
const LONGEST_SEARCH = 100;

export type ListQuery<State extends string> = { search: string; state: State };

/** Reads a list's search and filter from the query string; an unknown filter counts as the first one. */
export function readListQuery<State extends string>(
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
 * A list's search and filter, kept in the address. What a person types is `typed` at once, and `search` after a pause
 * in typing. They replace the address instead of adding to the history, so *Back* leaves the list.
 */
export function useListQuery<State extends string>(states: readonly [State, ...State[]]) {
  const { pathname, search: query } = useLocation();
  const navigate = useNavigate();
  const { search, state } = readListQuery(query, states);
  const [typed, setTyped] = useState(search);
  const written = useRef(search);

  // The address changed by another way, such as a link to the whole list.
  useEffect(() => {
    if (written.current === search) return;
    written.current = search;
    setTyped(search);
  }, [search]);

  useEffect(() => {
    const wanted = typed.trim().slice(0, LONGEST_SEARCH);
    if (wanted === written.current) return;
    const timer = window.setTimeout(() => {
      written.current = wanted;
      void navigate(keepQuery(pathname, query, { search: wanted || null }), { replace: true });
    }, PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [typed, pathname, query, navigate]);

  const choose = (next: State) =>
    void navigate(keepQuery(pathname, query, { state: next === states[0] ? null : next }), { replace: true });
  return { search, state, typed, type: setTyped, choose };
}

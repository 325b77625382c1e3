import { useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { keepQuery } from './page-context.ts';

type Query<Filters> = {
  read(query: string): Filters;
  /** The filters as changes to the query string; null removes a parameter. */
  write(filters: Filters): Record<string, string | null>;
};

/**
 * The filters of a list, kept in the address. `read` must keep its identity between renders.
 *
 * `apply` adds a step to the browser's history, or replaces the last one if `isReplaced`.
 */
export function useFilters<Filters>({ read, write }: Query<Filters>) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const filters = useMemo(() => read(search), [read, search]);
  const apply = (next: Filters, isReplaced: boolean) =>
    void navigate(keepQuery(pathname, search, write(next)), { replace: isReplaced });
  return { filters, apply };
}

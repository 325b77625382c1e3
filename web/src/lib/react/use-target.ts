import { useMemo } from 'react';
import type { PageContext } from '../address/page-context.ts';
import { usePageContext } from './use-client.ts';

/** What the page's address names, the same object as long as it names the same; null if a parameter is missing. */
export function useTarget<Target>(read: (context: PageContext) => Target | null): Target | null {
  const named = JSON.stringify(read(usePageContext()));
  return useMemo(() => JSON.parse(named), [named]);
}

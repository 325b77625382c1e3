import type { ComponentProps } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { keepQuery } from '../lib/page-context.ts';

type Props = Omit<ComponentProps<typeof Link>, 'to'> & {
  to: string;
  /** Query parameters to add or replace; null removes one. */
  query?: Record<string, string | null>;
};

/** A link inside the dashboard. It keeps the query string, which tells each page what it's about. */
export function InternalLink({ to, query, ...rest }: Props) {
  const { search } = useLocation();
  return <Link {...rest} to={keepQuery(to, search, query)} />;
}

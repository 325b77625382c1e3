import type { ComponentProps } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { keepQuery } from '../lib/page-context.ts';

type Props = Omit<ComponentProps<typeof Link>, 'to'> & {
  to: string;
  /** Query parameters to add or replace; null removes one. */
  query?: Record<string, string | null>;
};

/** A link inside the dashboard. It keeps the current query string: that is how pages know what they are about. */
export function KeptLink({ to, query, ...rest }: Props) {
  const { search } = useLocation();
  return <Link {...rest} to={keepQuery(to, search, query)} />;
}

import { organizationQuery } from '../../lib/organizations.ts';
import { keepQuery } from '../../lib/page-context.ts';
import { type Origins, safePath } from '../../lib/safe-url.ts';

/** The page that the person is choosing an organization for. */
export type SelectTarget = { path: string; search: string };

/**
 * Reads the target page from the address: a path of the dashboard, with the rest of the query. Null if there is no
 * target, or it isn't safe to follow.
 */
export function readSelectTarget(search: string, origins: Origins): SelectTarget | null {
  const query = new URLSearchParams(search);
  const target = safePath(query.get('target'), origins);
  if (!target) return null;
  const { pathname, searchParams } = new URL(target, origins.origin);
  query.delete('target');
  const rest = Object.fromEntries(query);
  return { path: pathname, search: keepQuery('', searchParams.toString(), rest) };
}

/** The address of the target page for one organization. */
export function targetFor(
  { path, search }: SelectTarget,
  organization: Parameters<typeof organizationQuery>[0],
): string {
  return keepQuery(path, search, organizationQuery(organization));
}

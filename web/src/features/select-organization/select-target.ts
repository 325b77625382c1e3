import { organizationQuery } from '../../lib/organizations.ts';
import { keepQuery } from '../../lib/page-context.ts';
import { type Places, safePath } from '../../lib/safe-url.ts';

/**
 * The page that an organization is chosen for, out of the address: a path of the dashboard, with the rest of the
 * query. Null where there is none that may be followed.
 */
export function readSelectTarget(search: string, places: Places): { path: string; search: string } | null {
  const query = new URLSearchParams(search);
  const target = safePath(query.get('target'), places);
  if (!target) return null;
  const { pathname, searchParams } = new URL(target, places.origin);
  query.delete('target');
  const rest = Object.fromEntries(query);
  return { path: pathname, search: keepQuery('', searchParams.toString(), rest) };
}

/** The target for one organization. */
export function targetFor(
  { path, search }: { path: string; search: string },
  organization: Parameters<typeof organizationQuery>[0],
): string {
  return keepQuery(path, search, organizationQuery(organization));
}

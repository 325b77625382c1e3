/** How a permitted request to the record store's API is answered. */
export type Permission =
  /** Forwarded as it is. */
  | 'forward'
  /** Forwarded after the person's memberships are refreshed from GitHub. */
  | 'member'
  /** Answered by us: the person's own user record, with its private fields. */
  | 'my-user-record'
  /** Answered by us: the code of GitHub's sign-in, exchanged for a session. */
  | 'sign-in';

const RECORD = '[a-z0-9]{15}';
const READABLE = ['webauthn', 'totps', 'gh_activities', 'gh_commits', 'organizations', 'org_members'].join(
  '|',
);

/** Everything else is 404. */
const ALLOWED: [method: string, path: RegExp, permission: Permission][] = [
  ['GET', /^\/api\/health$/, 'forward'],
  ['GET', /^\/api\/collections\/gh_users\/auth-methods$/, 'forward'],
  ['POST', /^\/api\/collections\/gh_users\/auth-with-oauth2$/, 'sign-in'],
  ['POST', /^\/api\/collections\/gh_users\/auth-refresh$/, 'my-user-record'],
  ['GET', new RegExp(`^/api/collections/gh_users/records/${RECORD}$`), 'my-user-record'],
  ['GET', new RegExp(`^/api/collections/(?:${READABLE})/records(?:/${RECORD})?$`), 'member'],
  ['GET', /^\/api\/realtime$/, 'forward'],
  ['POST', /^\/api\/realtime$/, 'member'],
];

const LONGEST_QUERY = 4096;
const MOST_PER_PAGE = 50;

/**
 * True for a filter, sort or expand that could keep the store busy for long and
 * that no page of ours needs: one that follows back-relations (`_via_`) or
 * several relations, or that uses a value of the request (`@`).
 */
export function isCostly(expression: string): boolean {
  return /_via_|@|\w\.\w+\.\w/.test(expression);
}

/**
 * Decides whether a request may reach the record store, by its raw path. The
 * path isn't decoded or normalized first, so no other spelling of it matches.
 *
 * @returns The permission and the target to request, with its page size limited; null if it's refused.
 */
export function permit(method: string, target: string): { permission: Permission; target: string } | null {
  const [path = '', query = ''] = splitOnce(target, '?');
  const [, , permission] =
    ALLOWED.find(([allowed, pattern]) => allowed === method && pattern.test(path)) ?? [];
  if (!permission || query.length > LONGEST_QUERY) return null;
  const parameters = new URLSearchParams(query);
  const expressions = ['filter', 'sort', 'expand'].map((name) => parameters.getAll(name).join(' '));
  if (permission === 'member' && expressions.some(isCostly)) return null;
  if (parameters.has('perPage')) parameters.set('perPage', String(pageSize(parameters.get('perPage'))));
  return { permission, target: parameters.size > 0 ? `${path}?${parameters}` : path };
}

function pageSize(requested: string | null): number {
  const size = Number(requested);
  return Number.isInteger(size) && size > 0 ? Math.min(size, MOST_PER_PAGE) : MOST_PER_PAGE;
}

function splitOnce(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}

/** What a user may ask of the record store's own API; everything else does not exist. */
export type Permission =
  /** Passed on as it is. */
  | 'forward'
  /** Passed on once the person's memberships are what GitHub says. */
  | 'member'
  /** The person's own record, with what is theirs alone. */
  | 'own'
  | 'sign-in';

const RECORD = '[a-z0-9]{15}';
const READABLE = ['webauthn', 'totps', 'gh_activities', 'gh_commits', 'organizations', 'org_members'].join(
  '|',
);

const ALLOWED: [method: string, path: RegExp, permission: Permission][] = [
  ['GET', /^\/api\/health$/, 'forward'],
  ['GET', /^\/api\/collections\/gh_users\/auth-methods$/, 'forward'],
  ['POST', /^\/api\/collections\/gh_users\/auth-with-oauth2$/, 'sign-in'],
  ['POST', /^\/api\/collections\/gh_users\/auth-refresh$/, 'own'],
  ['GET', new RegExp(`^/api/collections/gh_users/records/${RECORD}$`), 'own'],
  ['GET', new RegExp(`^/api/collections/(?:${READABLE})/records(?:/${RECORD})?$`), 'member'],
  ['GET', /^\/api\/realtime$/, 'forward'],
  ['POST', /^\/api\/realtime$/, 'member'],
];

const LONGEST_QUERY = 4096;
const MOST_PER_PAGE = 50;

/**
 * True for a filter, an order or an expansion that no page of ours needs and that
 * lets the store work for long: from a record to the many that name it, over
 * several relations, or by a value of the request.
 */
export function isCostly(expression: string): boolean {
  return /_via_|@|\w\.\w+\.\w/.test(expression);
}

/**
 * Whether this request may reach the record store, decided on the path as it
 * came: nothing is decoded or normalised first, so no spelling of a path that
 * is not in the list can mean one that is.
 *
 * @returns The permission and the target that is asked for, or null.
 */
export function permit(method: string, target: string): { permission: Permission; target: string } | null {
  const [path = '', query = ''] = splitOnce(target, '?');
  const found = ALLOWED.find(([allowed, pattern]) => allowed === method && pattern.test(path));
  if (!found || query.length > LONGEST_QUERY) return null;
  const parameters = new URLSearchParams(query);
  const asked = ['filter', 'sort', 'expand'].map((name) => parameters.getAll(name).join(' '));
  if (found[2] === 'member' && asked.some(isCostly)) return null;
  if (parameters.has('perPage')) {
    const perPage = Number(parameters.get('perPage'));
    parameters.set(
      'perPage',
      String(Number.isInteger(perPage) && perPage > 0 ? Math.min(perPage, MOST_PER_PAGE) : MOST_PER_PAGE),
    );
  }
  return { permission: found[2], target: parameters.size > 0 ? `${path}?${parameters}` : path };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

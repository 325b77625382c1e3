import { type AllowedQuery, NO_QUERY } from '../../contract/record-queries.ts';
import { toAllowedQuery } from './allowed-query.ts';

/** The way in which a permitted request to the record store's API is answered. */
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

type Route = [method: string, path: RegExp, permission: Permission, query: AllowedQuery];

/** The person's own user record: its memberships, with their organizations. */
const MY_USER_RECORD: AllowedQuery = {
  ...NO_QUERY,
  expand: ['org_members_via_user', 'org_members_via_user.org'],
};

/** The ways to sign in; PocketBase's own client always lists these parts. */
const AUTH_METHODS: AllowedQuery = { ...NO_QUERY, fields: ['mfa', 'otp', 'password', 'oauth2'] };

/** Everything else is 404. */
const ROUTES: Route[] = [
  ['GET', /^\/api\/health$/, 'forward', NO_QUERY],
  ['GET', /^\/api\/collections\/gh_users\/auth-methods$/, 'forward', AUTH_METHODS],
  ['POST', /^\/api\/collections\/gh_users\/auth-with-oauth2$/, 'sign-in', MY_USER_RECORD],
  ['POST', /^\/api\/collections\/gh_users\/auth-refresh$/, 'my-user-record', MY_USER_RECORD],
  ['GET', new RegExp(`^/api/collections/gh_users/records/${RECORD}$`), 'my-user-record', MY_USER_RECORD],
  ['GET', /^\/api\/realtime$/, 'forward', NO_QUERY],
  ['POST', /^\/api\/realtime$/, 'member', NO_QUERY],
];

const routesOf = ([name, query]: [string, AllowedQuery]): Route[] => [
  ['GET', new RegExp(`^/api/collections/${name}/records$`), 'member', query],
  [
    'GET',
    new RegExp(`^/api/collections/${name}/records/${RECORD}$`),
    'member',
    { ...query, filter: {}, sort: [] },
  ],
];

/** A permitted request to the record store. */
type Permitted = {
  permission: Permission;
  /** The path and query to request. */
  target: string;
  /** The relations to expand, as the query names them. */
  expand: string | undefined;
};

/**
 * Decides whether a request may reach the record store, by its raw path and its query. The path isn't decoded or
 * normalized first, so no other spelling of it matches. The query may only ask for listed expressions, because a single
 * expression can keep the record store busy for long.
 *
 * @param queries The queries for each collection that members read.
 * @returns The request for the record store; null if it's refused.
 */
export function createAllowList(queries: Record<string, AllowedQuery>) {
  const allowed = [...ROUTES, ...Object.entries(queries).flatMap(routesOf)];
  return (method: string, target: string): Permitted | null => {
    const [path = '', query = ''] = splitOnce(target, '?');
    const [, , permission, listed] =
      allowed.find(([of, pattern]) => of === method && pattern.test(path)) ?? [];
    const parameters = listed && toAllowedQuery(listed, query);
    if (!permission || !parameters) return null;
    return {
      permission,
      target: parameters.size > 0 ? `${path}?${parameters}` : path,
      expand: parameters.get('expand') ?? undefined,
    };
  };
}

function splitOnce(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}

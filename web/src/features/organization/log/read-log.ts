import type { RecordStore } from '../../../lib/record-store.ts';
import { type Entry, type RawEntry, readEntry } from './entry.ts';
import { type LogFilters, withoutUnquotable } from './filters.ts';

/** How many entries a page of the log has. */
export const PAGE_SIZE = 50;
export const ACTIVITIES = 'gh_activities';
export const EXPAND_PERSON = 'user_id';
const MEMBERS = 'org_members';
const MOST_SUGGESTIONS = 10;

/** Which entries to read, in the store's terms. */
export type LogQuery = {
  /** The organization's record id. */
  org: string;
  kind: LogFilters['kind'];
  /** The record id of the person who acted, or their login at that time if they have no record. */
  by: { id: string } | { login: string } | null;
};

/** Looks up the person of a filter. Rejects as the record store's client does. */
export async function resolveFilters(
  store: RecordStore,
  org: string,
  { person, kind }: LogFilters,
): Promise<LogQuery> {
  if (!person) return { org, kind, by: null };
  const { items } = await store.collection<{ user?: string; login?: string }>(MEMBERS).getList(1, 1, {
    filter: store.filter('org = {:org} && login:lower = {:login}', { org, login: person.toLowerCase() }),
    fields: 'user,login',
    skipTotal: true,
  });
  const member = items[0];
  // People who left the organization, or never signed in, are matched by their login in the entry.
  return { org, kind, by: member?.user ? { id: member.user } : { login: member?.login || person } };
}

/** The store's filter for these entries; the realtime subscription uses it too. */
export function storeFilter(store: RecordStore, { org, kind, by }: LogQuery): string {
  const parts = [store.filter('org = {:org}', { org })];
  if (kind) parts.push(store.filter('activity = {:kind}', { kind }));
  if (by && 'id' in by) parts.push(store.filter('user_id = {:id}', by));
  if (by && 'login' in by) parts.push(store.filter('data.login = {:login}', by));
  return parts.join(' && ');
}

/**
 * A page of the newest entries, or of those before an entry. Paging by the last entry instead of a page number means
 * that new entries shift nothing. Rejects as the record store's client does.
 */
export const readOlder = (
  store: RecordStore,
  query: LogQuery,
  before?: Pick<Entry, 'at' | 'id'>,
  perPage = PAGE_SIZE,
) =>
  readPage(
    store,
    query,
    before && store.filter('(created < {:at} || (created = {:at} && id < {:id}))', { ...before }),
    perPage,
  );

/** The newest entries, back to and including a moment. Rejects as the record store's client does. */
export const readNewer = (store: RecordStore, query: LogQuery, since: string) =>
  readPage(store, query, store.filter('created >= {:since}', { since }), PAGE_SIZE);

async function readPage(
  store: RecordStore,
  query: LogQuery,
  range: string | undefined,
  perPage: number,
): Promise<Entry[]> {
  const filter = storeFilter(store, query);
  const { items } = await store.collection<RawEntry>(ACTIVITIES).getList(1, perPage, {
    filter: range ? `${filter} && ${range}` : filter,
    sort: '-created,-id',
    expand: EXPAND_PERSON,
    skipTotal: true,
  });
  return items.map(readEntry);
}

/** Logins of an organization's members (by its record id) that contain a text. Rejects as the store's client does. */
export async function suggestLogins(store: RecordStore, org: string, typed: string): Promise<string[]> {
  const { items } = await store.collection<{ login?: string }>(MEMBERS).getList(1, MOST_SUGGESTIONS, {
    filter: store.filter('org = {:org} && login ~ {:typed}', {
      org,
      typed: withoutUnquotable(typed).replaceAll('%', ''),
    }),
    sort: 'login',
    fields: 'user,login',
    skipTotal: true,
  });
  return items.flatMap(({ login }) => (login ? [login] : []));
}

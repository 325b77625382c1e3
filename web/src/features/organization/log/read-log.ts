import type { RecordStore } from '../../../lib/react/record-store.ts';
import { readPeriod } from '../download/period-fields.tsx';
import { type Entry, type RawEntry, readEntry } from './entry.ts';
import { type LogFilters, storeText } from './filters.ts';

/** The number of entries on a page of the log. */
export const PAGE_SIZE = 50;
export const ACTIVITIES = 'gh_activities';
export const EXPAND_PERSON = 'user_id';
const NEWEST_FIRST = '-created,-id';
const MEMBERS = 'org_members';
const MOST_SUGGESTIONS = 10;
/** The server takes one more choice in a filter. */
const MOST_MEMBERS = 20;

/** Members by their user records: at most 20, and whether those are all. */
export type Members = { ids: string[]; areAll: boolean };
/** The people who acted: members, or a login that entries have. */
type People = Members | { login: string };
/** A whole name, or a part of one. */
type Named = { name: string; isWhole: boolean };

/** The entries to read, in the store's terms. */
export type LogQuery = {
  /** The organization's record id. */
  org: string;
  kind?: LogFilters['kind'];
  by?: People | null;
  repository?: Named | null;
  /** The first and the last moment, as the store writes times; empty for none. */
  from?: string;
  to?: string;
};

/**
 * Looks up what the filters name. A whole name means only itself; a part of a name means every name with it. Rejects
 * as the record store's client does.
 */
export async function resolveFilters(
  store: RecordStore,
  org: string,
  { person, kind, repository, ...days }: LogFilters,
): Promise<LogQuery> {
  const [by, ofRepository] = await Promise.all([
    person ? findPeople(store, org, person) : null,
    repository ? findRepository(store, org, repository) : null,
  ]);
  const period = readPeriod(days);
  const { from = '', to = '' } = 'problem' in period ? {} : period;
  return { org, kind, by, repository: ofRepository, from: storeTime(from), to: storeTime(to) };
}

const storeTime = (iso: string) => iso.replace('T', ' ');

async function findPeople(store: RecordStore, org: string, person: string): Promise<People> {
  const [[member], members] = await Promise.all([
    listMembers(
      store,
      store.filter('org = {:org} && login:lower = {:login}', { org, login: person.toLowerCase() }),
      1,
    ),
    findMembers(store, org, person),
  ]);
  if (member?.user) return { ids: [member.user], areAll: true };
  // Former members, and people who never signed in, have no record: the entries have their login.
  return member || members.ids.length === 0 ? { login: member?.login ?? person } : members;
}

/** The members whose login contains a text. */
export async function findMembers(store: RecordStore, org: string, text: string): Promise<Members> {
  const filter = store.filter('org = {:org} && login ~ {:text}', { org, text });
  const found = await listMembers(store, filter, MOST_MEMBERS + 1);
  const ids = found.slice(0, MOST_MEMBERS).flatMap(({ user }) => (user ? [user] : []));
  return { ids, areAll: found.length <= MOST_MEMBERS };
}

async function listMembers(store: RecordStore, filter: string, most: number) {
  const options = { filter, sort: 'login', fields: 'user,login', skipTotal: true };
  return (await store.collection<{ user?: string; login?: string }>(MEMBERS).getList(1, most, options)).items;
}

async function findRepository(store: RecordStore, org: string, name: string): Promise<Named> {
  const filter = store.filter('org = {:org} && data.repo = {:name}', { org, name });
  // Sorted as a page is, the store finds in its index that there is none, and reads no entry.
  const options = { filter, sort: NEWEST_FIRST, skipTotal: true };
  const { items } = await store.collection(ACTIVITIES).getList(1, 1, options);
  return { name, isWhole: items.length > 0 };
}

/** The store's filter for these entries; the realtime subscription uses it too. */
export function storeFilter(store: RecordStore, query: LogQuery): string {
  const { org, kind, by, repository, from, to } = query;
  const parts = [store.filter('org = {:org}', { org })];
  if (kind) parts.push(store.filter('activity = {:kind}', { kind }));
  if (by) parts.push(personFilter(store, by));
  if (repository)
    parts.push(
      store.filter(`data.repo ${repository.isWhole ? '=' : '~'} {:name}`, { name: repository.name }),
    );
  if (from) parts.push(store.filter('created >= {:from}', { from }));
  if (to) parts.push(store.filter('created <= {:to}', { to }));
  return parts.join(' && ');
}

function personFilter(store: RecordStore, by: People): string {
  if ('login' in by) return store.filter('data.login = {:login}', by);
  const choices = by.ids.map((id) => store.filter('user_id = {:id}', { id }));
  return choices.length > 1 ? `(${choices.join(' || ')})` : choices.join('');
}

/**
 * A page of the newest entries, or of those before an entry. Paging by the last entry instead of a page number means
 * that new entries shift nothing. Rejects as the record store's client does.
 */
export async function readOlder(
  store: RecordStore,
  query: LogQuery,
  before?: Position | null,
  perPage = PAGE_SIZE,
): Promise<Entry[]> {
  // Entries before a position are before the last moment too, and the server takes at most six clauses.
  const filter = before
    ? `${storeFilter(store, { ...query, to: '' })} && ${beforePosition(store, before)}`
    : storeFilter(store, query);
  const options = { filter, sort: NEWEST_FIRST, expand: EXPAND_PERSON, skipTotal: true };
  return (await store.collection<RawEntry>(ACTIVITIES).getList(1, perPage, options)).items.map(readEntry);
}

/** The position of a record in a list from the newest to the oldest. */
export type Position = {
  /** A time of the record store. */
  at: string;
  id: string;
};

/** The store's clause for everything before a record. New records don't move it, as they would a page number. The first comparison is for the index. */
export const beforePosition = (store: RecordStore, { at, id }: Position) =>
  store.filter('(created <= {:at} && (created < {:at} || id < {:id}))', { at, id });

/** Logins of an organization's members (by its record id) that contain a text. Rejects as the store's client does. */
export async function suggestLogins(store: RecordStore, org: string, typed: string): Promise<string[]> {
  const filter = store.filter('org = {:org} && login ~ {:typed}', { org, typed: storeText(typed) });
  const found = await listMembers(store, filter, MOST_SUGGESTIONS);
  return found.flatMap(({ login }) => (login ? [login] : []));
}

import type { RecordStore } from '../../../lib/record-store.ts';
import { type Entry, type RawEntry, readEntry } from './entry.ts';
import type { LogFilter } from './log-filter.ts';

/** How many entries a page of the log has. */
export const LOG_PAGE = 50;
export const ACTIVITIES = 'gh_activities';
export const EXPAND_PERSON = 'user_id';

/** Which entries are asked for, in the store's terms. */
export type Wanted = {
  /** The organization's record id. */
  org: string;
  kind: LogFilter['kind'];
  /** By the record id of who did it, or where that is unknown by their login then. */
  by: { id: string } | { login: string } | null;
};

/** Finds out who the person of a filter is. Rejects as the record store's client does. */
export async function resolveFilter(
  store: RecordStore,
  org: string,
  { person, kind }: LogFilter,
): Promise<Wanted> {
  if (!person) return { org, kind, by: null };
  const { items } = await store.collection<{ user?: string; login?: string }>('org_members').getList(1, 1, {
    filter: store.filter('org = {:org} && login:lower = {:login}', { org, login: person.toLowerCase() }),
    fields: 'user,login',
    skipTotal: true,
  });
  const member = items[0];
  // Somebody who left the organization, or never signed in: what they did is found by the name of then.
  return { org, kind, by: member?.user ? { id: member.user } : { login: member?.login || person } };
}

/** The store's filter for these entries, also for the realtime feed. */
export function wantedFilter(store: RecordStore, { org, kind, by }: Wanted): string {
  const parts = [store.filter('org = {:org}', { org })];
  if (kind) parts.push(store.filter('activity = {:kind}', { kind }));
  if (by && 'id' in by) parts.push(store.filter('user_id = {:id}', by));
  if (by && 'login' in by) parts.push(store.filter('data.login = {:login}', by));
  return parts.join(' && ');
}

type Place = Pick<Entry, 'at' | 'id'>;

/**
 * The newest entries, or those before a place. A place is no number: what is added meanwhile moves nothing, and the
 * last page is as quick as the first. Rejects as the record store's client does.
 */
export const readOlder = (store: RecordStore, wanted: Wanted, before?: Place, perPage = LOG_PAGE) =>
  read(
    store,
    wanted,
    before && store.filter('(created < {:at} || (created = {:at} && id < {:id}))', { ...before }),
    perPage,
  );

/** The newest entries as far back as a moment, that moment included. */
export const readNewer = (store: RecordStore, wanted: Wanted, since: string) =>
  read(store, wanted, store.filter('created >= {:since}', { since }), LOG_PAGE);

async function read(
  store: RecordStore,
  wanted: Wanted,
  where: string | undefined,
  perPage: number,
): Promise<Entry[]> {
  const all = wantedFilter(store, wanted);
  const { items } = await store.collection<RawEntry>(ACTIVITIES).getList(1, perPage, {
    filter: where ? `${all} && ${where}` : all,
    sort: '-created,-id',
    expand: EXPAND_PERSON,
    skipTotal: true,
  });
  return items.map(readEntry);
}

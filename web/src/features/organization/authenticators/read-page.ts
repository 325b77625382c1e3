import { authenticatorKinds, authenticatorTypes } from '../../../../../src/contract/authenticator-kinds.ts';
import type { OrganizationAuthenticatorsAnswer } from '../../../../../src/contract/organization.ts';
import type { RecordStore } from '../../../lib/react/record-store.ts';
import { filtersOf, oneOf } from '../../../lib/react/use-filters.ts';
import {
  type Authenticator,
  type AuthenticatorCollection,
  type AuthenticatorRecord,
  newestFirst,
  readAuthenticator,
  relations,
} from '../../../lib/signing/authenticator.ts';
import { storeText } from '../log/filters.ts';
import { beforePosition, findMembers, type Members, type Position } from '../log/read-log.ts';

export const PAGE_SIZE = 20;

/** The filters of the list: a part of a label or of a member's login, and a kind. */
export const FILTERS = filtersOf({ search: storeText, type: oneOf(['', ...authenticatorTypes]) });

type AuthenticatorFilters = typeof FILTERS.none;

export type AuthenticatorsPage = {
  authenticators: Authenticator[];
  /** The position that the next page begins after; null on the last one. */
  next: Position | null;
  /** The number of matching rows, on all pages. */
  matching: number;
  /** The number of rows without filters; null if that isn't known. */
  total: number | null;
  /** False if more members match than one search can look for. */
  areAllMembers: boolean;
};

type Input = {
  org: string;
  filters: AuthenticatorFilters;
  before: Position | undefined;
  /** A member's user record: the store would go through everybody's to find theirs. Null for owners. */
  holder: string | null;
  /** Asks how many of each kind there are, for an owner. Null for a member. */
  askNumbers: (() => Promise<OrganizationAuthenticatorsAnswer>) | null;
};
type Listed = { name: AuthenticatorCollection; filter: string };

const COLLECTIONS: AuthenticatorCollection[] = ['webauthn', 'totps'];

/**
 * A page of an organization's authenticators (by its record id), newest first. Owners get everyone's, members their
 * own. Rejects as the record store's client does.
 */
export async function readPage(
  store: RecordStore,
  { org, filters, before, holder, askNumbers }: Input,
): Promise<AuthenticatorsPage> {
  const { search, type } = filters;
  const members = search ? await findMembers(store, org, search) : null;
  const lists = COLLECTIONS.flatMap((name): Listed[] => {
    if (type && authenticatorKinds[type].collection !== name) return [];
    const clauses = limits(store, name, { filters, members });
    const filter = ofOrganization(store, name, { org, holder });
    return clauses ? [{ name, filter: [filter, ...clauses].join(' && ') }] : [];
  });
  const [pages, numbers] = await Promise.all([
    Promise.all(
      lists.map(({ name, filter }) =>
        readNewest(store, name, before ? `${filter} && ${beforePosition(store, before)}` : filter),
      ),
    ),
    readNumbers(store, lists, { filters, askNumbers }),
  ]);
  const found = pages.flat().sort(newestFirst);
  const authenticators = found.slice(0, PAGE_SIZE);
  const last = authenticators.at(-1);
  return {
    authenticators,
    next: last && found.length > PAGE_SIZE ? { at: last.created, id: last.id } : null,
    ...numbers,
    areAllMembers: members?.areAll ?? true,
  };
}

/** Reads how many rows match, and how many there are. The store counts what a search finds, and a member's own. */
async function readNumbers(
  store: RecordStore,
  lists: Listed[],
  { filters: { search, type }, askNumbers }: Pick<Input, 'filters' | 'askNumbers'>,
) {
  const [kinds, found] = await Promise.all([
    askNumbers?.(),
    askNumbers && !search ? null : count(store, lists),
  ]);
  const total = kinds ? sum(Object.values(kinds)) : null;
  const ofKind = kinds && type ? kinds[type] : total;
  return { matching: found ?? ofKind ?? 0, total };
}

function ofOrganization(
  store: RecordStore,
  name: AuthenticatorCollection,
  values: Pick<Input, 'org' | 'holder'>,
): string {
  const { org, user } = relations[name];
  return store.filter(`${org} = {:org}${values.holder === null ? '' : ` && ${user} = {:holder}`}`, values);
}

/** The filter of a collection's records; null if none of them can match. */
function limits(
  store: RecordStore,
  name: AuthenticatorCollection,
  { filters: { search, type }, members }: { filters: AuthenticatorFilters; members: Members | null },
): string[] | null {
  const ofType = type && name === 'webauthn' ? [store.filter('type = {:type}', { type })] : [];
  if (!search) return ofType;
  const { user } = relations[name];
  const choices = (members?.ids ?? []).map((id) => store.filter(`${user} = {:id}`, { id }));
  // The label of an app isn't a name that its holder chose, and no page shows it.
  if (name === 'webauthn') choices.push(store.filter('label ~ {:search}', { search }));
  if (choices.length === 0) return null;
  return [...ofType, choices.length > 1 ? `(${choices.join(' || ')})` : choices.join('')];
}

/** Reads one record more than a page has, which shows whether there's another page. */
async function readNewest(store: RecordStore, name: AuthenticatorCollection, filter: string) {
  const { user, org } = relations[name];
  const options = { filter, sort: '-created,-id', expand: `${user},${org}`, skipTotal: true };
  const { items } = await store.collection<AuthenticatorRecord>(name).getList(1, PAGE_SIZE + 1, options);
  return items.map((record) => readAuthenticator(name, record));
}

async function count(store: RecordStore, lists: Listed[]): Promise<number> {
  const counts = lists.map(({ name, filter }) => store.collection(name).getList(1, 1, { filter }));
  return sum((await Promise.all(counts)).map(({ totalItems }) => totalItems));
}

const sum = (counts: number[]) => counts.reduce((all, one) => all + one, 0);

import type { AuthenticatorType } from '../../../src/contract/authenticators.ts';
import type { RecordStore } from './record-store.ts';

/** One authenticator, of any kind, as the pages show it. */
export type Authenticator = {
  id: string;
  type: AuthenticatorType;
  label: string;
  /** Times of the record store; `lastUsed` is empty where it was never used. */
  created: string;
  lastUsed: string;
  /** The maker's model; empty where nobody knows, and for codes. */
  model: string;
  /** Whether its key is copied to other devices; null for codes. */
  synced: boolean | null;
  /** The credential id, base64url; empty for codes. */
  keyId: string;
  /** Record id of whose it is. */
  userId: string;
  /** Their login; empty where they are not to be seen, such as after they left the organization. */
  username: string;
  /** `orgId` is GitHub's id. */
  org: { orgId: string; name: string };
};

type Raw = Record<string, unknown> & {
  expand?: Record<string, { org_id?: number; name?: string; username?: string } | undefined>;
};
/** Where the authenticators are: keys in one collection, codes in the other. */
export type Collection = 'webauthn' | 'totps';

/** How many authenticators a page of one collection has. */
export const PER_PAGE = 20;
const FIELDS: Record<Collection, { user: string; org: string }> = {
  webauthn: { user: 'user', org: 'org' },
  totps: { user: 'user_id', org: 'org_id' },
};

export const collectionOf = (type: AuthenticatorType): Collection => (type === 'totp' ? 'totps' : 'webauthn');

/** The person's authenticators in every organization, newest first. Rejects as the record store's client does. */
export async function listAuthenticators(store: RecordStore, userId: string): Promise<Authenticator[]> {
  const lists = await Promise.all([
    list(store, 'webauthn', 'user', userId),
    list(store, 'totps', 'user', userId),
  ]);
  return lists.flat().sort(newestFirst);
}

/**
 * One page of an organization's authenticators of one collection, newest first: everyone's for an owner, one's own for
 * others. `orgRecordId` is the organization's record id. Rejects as the record store's client does.
 */
export const listAuthenticatorsOf = (
  store: RecordStore,
  collection: Collection,
  orgRecordId: string,
  page: number,
): Promise<Authenticator[]> => list(store, collection, 'org', orgRecordId, page);

/** For lists of both collections; those of one moment have an order too. */
export const newestFirst = (a: Authenticator, b: Authenticator) =>
  `${a.created} ${a.id}` < `${b.created} ${b.id}` ? 1 : -1;

async function list(
  store: RecordStore,
  collection: Collection,
  by: 'user' | 'org',
  id: string,
  page = 1,
): Promise<Authenticator[]> {
  const fields = FIELDS[collection];
  const { items } = await store.collection<Raw>(collection).getList(page, PER_PAGE, {
    filter: store.filter(`${fields[by]} = {:id}`, { id }),
    sort: '-created,-id',
    expand: `${fields.user},${fields.org}`,
    skipTotal: true,
  });
  return items.map((raw) => readAuthenticator(collection, raw));
}

/** One authenticator by its record id. Rejects as the record store's client does; 404 where there is none. */
export async function getAuthenticator(
  store: RecordStore,
  type: AuthenticatorType,
  id: string,
): Promise<Authenticator> {
  const collection = collectionOf(type);
  const { user, org } = FIELDS[collection];
  return readAuthenticator(
    collection,
    await store.collection<Raw>(collection).getOne(id, { expand: `${user},${org}` }),
  );
}

/** Reads a record of the store; what is not there is empty. */
export function readAuthenticator(collection: Collection, raw: Raw): Authenticator {
  const { user, org } = FIELDS[collection];
  const { org_id: orgId, name = '' } = raw.expand?.[org] ?? {};
  const text = (name: string) => (typeof raw[name] === 'string' ? raw[name] : '');
  const shared = {
    id: text('id'),
    created: text('created'),
    lastUsed: text('last_used'),
    userId: text(user),
    username: raw.expand?.[user]?.username ?? '',
    org: { orgId: orgId ? String(orgId) : '', name },
  };
  if (collection === 'totps') {
    return { ...shared, type: 'totp', label: 'totp', model: '', synced: null, keyId: '' };
  }
  return {
    ...shared,
    type: raw.type === 'security-key' ? 'security-key' : 'passkey',
    label: text('label'),
    model: text('model'),
    synced: raw.backup_eligible === true && raw.backed_up === true,
    keyId: text('key_id'),
  };
}

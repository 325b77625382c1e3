import {
  type AuthenticatorKind,
  type AuthenticatorType,
  authenticatorKinds,
  authenticatorTypes,
  webauthnTypes,
} from '../../../../src/contract/authenticator-kinds.ts';
import type { Enrolled, PendingKind } from '../../../../src/contract/enrolment.ts';
import type { RecordStore } from '../react/record-store.ts';

/** One authenticator of any kind, as the pages show it. */
export type Authenticator = {
  id: string;
  type: AuthenticatorType;
  label: string;
  /** Times as the record store writes them; `lastUsed` is empty if the authenticator was never used. */
  created: string;
  lastUsed: string;
  /** The maker's model; empty if unknown, and for authenticator apps. */
  model: string;
  /** True if the credential is copied to other devices; null for authenticator apps. */
  synced: boolean | null;
  /** The step that it waits for before it counts; empty if it counts. */
  pending: '' | PendingKind;
  /** The source of its holder's trust; empty if it still waits. */
  enrolled: Enrolled;
  /** The holder's own authenticator that let this one in; null for a first one, and if that wasn't recorded. */
  addedWith: AuthenticatorType | null;
  /** The holder's record id. */
  userId: string;
  /** The holder's login; empty if this person may not see them, for example after they left the organization. */
  username: string;
  /** `orgId` is GitHub's id. */
  org: { orgId: string; name: string };
};

export type AuthenticatorCollection = AuthenticatorKind['collection'];

/** A record of either collection, with its holder and organization expanded. */
export type AuthenticatorRecord = Record<string, unknown> & {
  expand?: Record<string, { org_id?: number; name?: string; username?: string } | undefined>;
};

/** The names of the relations in each collection. */
export const relations: Record<AuthenticatorCollection, { user: string; org: string }> = {
  webauthn: { user: 'user', org: 'org' },
  totps: { user: 'user_id', org: 'org_id' },
};

/**
 * Reads a record of the store; missing fields are empty.
 *
 * @throws Error with a sentence for the person if the record's kind is newer than this page.
 */
export function readAuthenticator(
  collection: AuthenticatorCollection,
  record: AuthenticatorRecord,
): Authenticator {
  const { user, org } = relations[collection];
  const { org_id: orgId, name = '' } = record.expand?.[org] ?? {};
  const text = (field: string) => (typeof record[field] === 'string' ? record[field] : '');
  const shared = {
    id: text('id'),
    created: text('created'),
    lastUsed: text('last_used'),
    pending: text('pending') as Authenticator['pending'],
    enrolled: text('enrolled') as Enrolled,
    addedWith: authenticatorTypes.find((known) => known === record.added_with) ?? null,
    userId: text(user),
    username: record.expand?.[user]?.username ?? '',
    org: { orgId: orgId ? String(orgId) : '', name },
  };
  if (collection === 'totps') {
    return { ...shared, type: 'totp', label: 'totp', model: '', synced: null };
  }
  const type = webauthnTypes.find((known) => known === record.type);
  if (!type) throw new Error('OTP Guard was updated. Reload this page.');
  return {
    ...shared,
    type,
    label: text('label'),
    model: text('model'),
    synced: record.backup_eligible === true && record.backed_up === true,
  };
}

/** More than a person has. */
const MOST = 20;

/** The person's authenticators in every organization, newest first. Rejects as the record store's client does. */
export async function listOwnAuthenticators(store: RecordStore, userId: string): Promise<Authenticator[]> {
  const lists = await Promise.all([list(store, 'webauthn', userId), list(store, 'totps', userId)]);
  return lists.flat().sort(newestFirst);
}

/** Sorts across both collections; the id breaks ties. */
export const newestFirst = (a: Authenticator, b: Authenticator) =>
  `${a.created} ${a.id}` < `${b.created} ${b.id}` ? 1 : -1;

async function list(
  store: RecordStore,
  collection: AuthenticatorCollection,
  userId: string,
): Promise<Authenticator[]> {
  const { user, org } = relations[collection];
  const { items } = await store.collection<AuthenticatorRecord>(collection).getList(1, MOST, {
    filter: store.filter(`${user} = {:userId}`, { userId }),
    sort: '-created,-id',
    expand: `${user},${org}`,
    skipTotal: true,
  });
  return items.map((record) => readAuthenticator(collection, record));
}

/** One authenticator by its record id. Rejects as the record store's client does; 404 if there is none. */
export async function getAuthenticator(
  store: RecordStore,
  type: AuthenticatorType,
  id: string,
): Promise<Authenticator> {
  const { collection } = authenticatorKinds[type];
  const { user, org } = relations[collection];
  const options = { expand: `${user},${org}` };
  const record = await store.collection<AuthenticatorRecord>(collection).getOne(id, options);
  return readAuthenticator(collection, record);
}

import { type AuthenticatorType, authenticatorKinds } from '../../../src/contract/authenticator-kinds.ts';
import {
  type Authenticator,
  type AuthenticatorCollection,
  type AuthenticatorRecord,
  readAuthenticator,
  relations,
} from './authenticator.ts';
import type { RecordStore } from './record-store.ts';

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

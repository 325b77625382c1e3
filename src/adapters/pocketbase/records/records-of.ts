import { createHash, randomInt } from 'node:crypto';
import { createIfNew, ignoreMissing, type StoreClient, tryToStore } from '../client.ts';
import type { CollectionName, RecordOf } from '../schema/collections.ts';

type Values = Record<string, unknown>;
type Options = { sort?: string; expand?: string; fields?: string; batch?: number };

/** The fields to write; undefined ones are left out. */
type Fields<R> = { [Name in keyof R]?: R[Name] | undefined };

/** The records of one collection. A `filter` has placeholders such as `{:name}`, which `values` fill in, escaped. */
export type Records<R> = {
  /** @throws ClientResponseError 404 if there's no such record. */
  get(id: string, options?: Options): Promise<R>;
  first(filter: string, values: Values, options?: Options): Promise<R | null>;
  all(filter: string, values: Values, options?: Options): Promise<R[]>;
  /** The first `most` records, or those of another page of this size. */
  page(most: number, filter: string, values: Values, options?: Options & { page?: number }): Promise<R[]>;
  count(filter: string, values: Values): Promise<number>;
  create(fields: Fields<R>): Promise<R>;
  /** Null if a record with the same unique fields already exists. */
  createIfNew(fields: Fields<R>): Promise<R | null>;
  /** @throws ClientResponseError 404 if there's no such record. */
  update(id: string, fields: Fields<R>): Promise<R>;
  /** False if there's no such record. */
  updateIfThere(id: string, fields: Fields<R>): Promise<boolean>;
  /** Does nothing if the record is already gone. */
  delete(id: string): Promise<void>;
};

/** The records of a collection, by their definition, or of a view or with expanded relations, by the type that's given. */
export function recordsOf<Name extends CollectionName>(
  client: StoreClient,
  name: Name,
): Records<RecordOf<Name>>;
export function recordsOf<R extends object>(client: StoreClient, name: string): Records<R>;
export function recordsOf<R extends object>(client: StoreClient, name: string): Records<R> {
  const records: Records<R> = {
    get: (id, options) => client.run((store) => store.collection(name).getOne<R>(id, options)),
    first: async (filter, values, options) => (await records.page(1, filter, values, options))[0] ?? null,
    all: (filter, values, options) =>
      client.run((store) =>
        store.collection(name).getFullList<R>({ filter: store.filter(filter, values), ...options }),
      ),
    async page(most, filter, values, { page = 1, ...options } = {}) {
      const { items } = await client.run((store) =>
        store
          .collection(name)
          .getList<R>(page, most, { filter: store.filter(filter, values), skipTotal: true, ...options }),
      );
      return items;
    },
    async count(filter, values) {
      const { totalItems } = await client.run((store) =>
        store.collection(name).getList(1, 1, { filter: store.filter(filter, values), fields: 'id' }),
      );
      return totalItems;
    },
    create: (fields) => client.run((store) => store.collection(name).create<R>(fields)),
    createIfNew: (fields) => createIfNew(() => records.create(fields)),
    update: (id, fields) => client.run((store) => store.collection(name).update<R>(id, fields)),
    updateIfThere: (id, fields) => tryToStore(() => records.update(id, fields)),
    delete: (id) =>
      client.run(async (store) => void (await store.collection(name).delete(id).catch(ignoreMissing))),
  };
  return records;
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 15;

/** A random record id, in the record store's own format. */
export function newRecordId(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** A record id made from a name: always the same for the same name, so that only one such record can exist. */
export function recordIdOf(name: string): string {
  const digest = createHash('sha256').update(name).digest();
  return Array.from(digest.subarray(0, LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

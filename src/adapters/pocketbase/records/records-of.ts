import { createHash, randomInt } from 'node:crypto';
import type PocketBase from 'pocketbase';
import type { RepositoryRef } from '../../../organizations/ports.ts';
import { createIfNew, ignoreMissing, type StoreClient, sendBatch, tryToStore } from '../client.ts';
import type { CollectionName, RecordOf } from '../collections.ts';

type Values = Record<string, unknown>;
type Options = { sort?: string; expand?: string; fields?: string; batch?: number };

/** The fields to write; undefined ones are left out. */
type Fields<R> = { [Name in keyof R]?: R[Name] | undefined };

/**
 * Which records: records with these values, or records that a filter finds. It has placeholders such as `{:name}`,
 * which `values` fill in, escaped.
 */
export type Wanted<R> = { [Name in keyof R]?: R[Name] } | [filter: string, values?: Values];

/** The records of one collection. */
export type Records<R> = {
  /** @throws ClientResponseError 404 if there's no such record. */
  get(id: string, options?: Options): Promise<R>;
  first(wanted: Wanted<R>, options?: Options): Promise<R | null>;
  all(wanted: Wanted<R>, options?: Options): Promise<R[]>;
  /** The records that also have one of these values in a field. */
  allOf(
    field: keyof R & string,
    values: readonly (string | number)[],
    wanted: Wanted<R>,
    options?: Options,
  ): Promise<R[]>;
  /** Every record, in pages of this size in the order of the ids. Those added in the meantime may be left out. */
  pages(most: number, options?: Options): AsyncGenerator<R[], void>;
  /** The first `most` records, or those of another page of this size. */
  page(most: number, wanted: Wanted<R>, options?: Options & { page?: number }): Promise<R[]>;
  count(wanted: Wanted<R>): Promise<number>;
  create(fields: Fields<R>): Promise<R>;
  /** Null if a record with the same unique fields already exists. */
  createIfNew(fields: Fields<R>): Promise<R | null>;
  /**
   * Changes these fields alone. PocketBase reads a record, changes the fields that it was sent, and saves all fields: of
   * two updates at the same moment, the later would take back what the earlier has changed, such as a withdrawal or the
   * end of a session. In a batch it reads and saves in one transaction, so an update is sent as a batch of one.
   *
   * @throws ClientResponseError if there's no such record (`isMissing`).
   */
  update(id: string, fields: Fields<R>): Promise<R>;
  /** False if there's no such record. */
  updateIfThere(id: string, fields: Fields<R>): Promise<boolean>;
  /** Does nothing if the record is already gone. */
  delete(id: string): Promise<void>;
};

/** PocketBase takes filters of at most 3,500 characters and 200 conditions: these many hashes or numbers fit. */
const [MOST_TEXTS, MOST_NUMBERS] = [40, 120];

/** The records of a collection, by their definition, or of a view or with expanded relations, by the type that's given. */
export function recordsOf<Name extends CollectionName>(
  client: StoreClient,
  name: Name,
): Records<RecordOf<Name>>;
export function recordsOf<R extends object>(client: StoreClient, name: string): Records<R>;
export function recordsOf<R extends object>(client: StoreClient, name: string): Records<R> {
  const records: Records<R> = {
    get: (id, options) => client.run((store) => store.collection(name).getOne<R>(id, options)),
    first: async (wanted, options) => (await records.page(1, wanted, options))[0] ?? null,
    all: (wanted, options) =>
      client.run((store) =>
        store.collection(name).getFullList<R>({ filter: toFilter(store, wanted), ...options }),
      ),
    async allOf(field, values, wanted, options) {
      const most = typeof values[0] === 'number' ? MOST_NUMBERS : MOST_TEXTS;
      const parts = Array.from({ length: Math.ceil(values.length / most) }, (_, part) =>
        values.slice(part * most, (part + 1) * most),
      );
      const found = parts.map((part) =>
        client.run((store) => {
          const each = part.map((value) => store.filter(`${field}={:value}`, { value }));
          const filter = [toFilter(store, wanted), `(${each.join('||')})`].filter(Boolean).join(' && ');
          return store.collection(name).getFullList<R>({ filter, ...options });
        }),
      );
      return (await Promise.all(found)).flat();
    },
    async *pages(most, options) {
      for (let last = ''; ; ) {
        const found = await records.page(most, ['id > {:last}', { last }], { sort: 'id', ...options });
        yield found;
        if (found.length < most) return;
        last = (found.at(-1) as R & { id: string }).id;
      }
    },
    async page(most, wanted, { page = 1, ...options } = {}) {
      const { items } = await client.run((store) =>
        store
          .collection(name)
          .getList<R>(page, most, { filter: toFilter(store, wanted), skipTotal: true, ...options }),
      );
      return items;
    },
    async count(wanted) {
      const { totalItems } = await client.run((store) =>
        store.collection(name).getList(1, 1, { filter: toFilter(store, wanted), fields: 'id' }),
      );
      return totalItems;
    },
    create: (fields) => client.run((store) => store.collection(name).create<R>(fields)),
    createIfNew: (fields) => createIfNew(() => records.create(fields)),
    async update(id, fields) {
      const [updated] = await sendBatch(client, (batch) => batch.collection(name).update(id, fields));
      return updated?.body;
    },
    updateIfThere: (id, fields) => tryToStore(() => records.update(id, fields)),
    delete: (id) =>
      client.run(async (store) => void (await store.collection(name).delete(id).catch(ignoreMissing))),
  };
  return records;
}

function toFilter(store: PocketBase, wanted: Wanted<object>): string {
  if (Array.isArray(wanted)) return store.filter(wanted[0], wanted[1]);
  const each = Object.keys(wanted).map((field) => `${field} = {:${field}}`);
  return store.filter(each.join(' && '), wanted as Values);
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

/** A repository, by the names that it had when the record was made. */
export function toRepository(record: { installation_id: number; repo_name: string }): RepositoryRef {
  const [owner = '', name = ''] = record.repo_name.split('/');
  return { installation: record.installation_id, owner, name };
}

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collections } from '../../src/pocketbase/schema/schema.ts';
import { startMigratedStore } from '../support/migrated-store.ts';
import { raw } from '../support/product-over-store.ts';
import { type FullRecord, recordOf } from '../support/record-of.ts';

/** Every collection of ours that holds records, in an order in which their relations can be filled. */
const STORED = collections({ clientId: 'a', clientSecret: 'b', serverUrl: 'c', apiUrl: 'd' }).filter(
  ({ type }) => type !== 'view',
);

let store: Awaited<ReturnType<typeof startMigratedStore>>;
/** A record of each collection, by the collection's id. All belong to `user`. */
const ids: Record<string, string> = {};
let user: string;
/** The same, but of another person: some records are unique to a person. */
let others: Record<string, string>;

beforeAll(async () => {
  store = await startMigratedStore();
  for (const each of STORED) {
    const { id } = await store.records.collection(each.name).create<{ id: string }>(recordOf(each, ids, 1));
    ids[each.id] = id;
  }
  const users = store.records.collection('gh_users');
  const [people] = STORED;
  if (people) others = { ...ids, pbc_gh_users: (await users.create(recordOf(people, ids, 9))).id };
  user = (await users.impersonate(ids.pbc_gh_users ?? '', 3600)).authStore.token;
});
afterAll(() => store?.stop());

const path = (name: string, id = '') => `/api/collections/${name}/records${id && `/${id}`}`;
const send = (method: string, target: string, token: string | undefined, body?: FullRecord) =>
  raw(store.one.url, method, target, { token, body });

/** What a user may change in their own record when a rule allows it, without their password. */
const changeable = ({ email, password, passwordConfirm, ...rest }: FullRecord) => rest;

const everything = async () =>
  JSON.stringify(
    await Promise.all(STORED.map(({ name }) => store.records.collection(name).getFullList({ sort: 'id' }))),
  );

describe.each([
  ['a guest', (): string | undefined => undefined],
  ['an owner of the organization', () => user],
] as const)('%s who writes to the record store directly', (_who, token) => {
  // Complete and valid requests: only the collection's rule can be what refuses them.
  it.each(STORED.map(({ name }) => name))(
    'is refused in %s by its rules, and by nothing else',
    async (name) => {
      const each = STORED.find((one) => one.name === name);
      if (!each) throw new Error(name);
      const before = await everything();
      const statuses = async (id: string): Promise<number[]> => {
        const created = await send('POST', path(name), token(), recordOf(each, others, 2));
        const made = (JSON.parse(created.text) as { id?: string }).id ?? id;
        const updated = await send('PATCH', path(name, made), token(), changeable(recordOf(each, others, 3)));
        const deleted = await send('DELETE', path(name, made), token());
        return [created.status, updated.status, deleted.status];
      };
      // A rule of null refuses with 403. Only GitHub's sign-in may create a user, by a rule that doesn't match here.
      expect(await statuses(ids[each.id] ?? '')).toEqual([name === 'gh_users' ? 400 : 403, 403, 403]);
      expect(await everything()).toBe(before);

      // The same requests pass if the rules are opened.
      const { createRule, updateRule, deleteRule } = each;
      const setRules = (rules: object) => store.records.collections.update(name, rules);
      await setRules({ createRule: '', updateRule: '', deleteRule: '' });
      expect(await statuses('')).toEqual([200, 200, 204]);
      await setRules({ createRule, updateRule, deleteRule });
    },
  );
});

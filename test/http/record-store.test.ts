import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type PocketBase from 'pocketbase';
import { createStoreClient } from '../../src/adapters/pocketbase/client.ts';
import { migrate } from '../../src/adapters/pocketbase/schema/migrate.ts';
import { collections, SCHEMA_VERSION } from '../../src/adapters/pocketbase/schema/schema.ts';
import { listOf, otherOrgOf, ownRecord, registerKey, registerPasskey } from '../support/account.ts';
import { SoftwareAuthenticator } from '../support/authenticator.ts';
import { startEmptyStore } from '../support/empty-store.ts';
import { type Session, type TestProduct, until } from '../support/product.ts';
import { type ProductOverStore, startProductOverStore } from '../support/product-over-store.ts';
import { listen } from '../support/realtime.ts';
import { raw, signInAs } from '../support/sign-in.ts';

let product: ProductOverStore;
beforeAll(async () => {
  product = await startProductOverStore();
});
afterAll(() => product?.stop());

/** A request through the product. */
const through = (method: string, target: string, token?: string, body?: unknown) =>
  raw(product.origin, method, target, { token, body });
const records = (name: string, rest = '') => `/api/collections/${name}/records${rest}`;

/** A person who signed in through the product, and the record of `octo-org`. */
async function realMember(login = 'mona') {
  const { token, record } = await signInAs(product, login);
  const { id: org } = await product.records.collection('organizations').getFirstListItem('name = "octo-org"');
  return { id: record.id, token, org };
}

describe('a person’s own user record, through the product', () => {
  const read = async (token: string, id: string) => {
    const refresh = await through('POST', '/api/collections/gh_users/auth-refresh', token);
    const get = await through('GET', records('gh_users', `/${id}`), token);
    expect([refresh.status, get.status]).toEqual([200, 200]);
    const both = [(JSON.parse(refresh.text) as { record: object }).record, JSON.parse(get.text) as object];
    return both as Record<string, unknown>[];
  };

  it('contains their private fields, with the confirmed e-mail address or none', async () => {
    const { id, token } = await realMember();
    const users = product.records.collection('gh_users');
    await users.update(id, { image: { name: 'mine' }, address: '' });
    for (const record of await read(token, id))
      expect(record).toMatchObject({ id, username: 'mona', image: { name: 'mine' }, email: '' });
    await users.update(id, { address: 'mona@example.org' });
    for (const record of [...(await read(token, id)), (await signInAs(product, 'mona')).record]) {
      expect(record).toMatchObject({ email: 'mona@example.org', authenticators: expect.any(Object) });
      expect(JSON.stringify(record)).not.toMatch(/unconfirmed|tokenKey|password|"address"/);
    }
  });

  it('expands memberships and their organizations, and nothing beyond', async () => {
    const { id, token, org } = await realMember();
    const calls: [method: string, target: string][] = [
      ['GET', records('gh_users', `/${id}`)],
      ['POST', '/api/collections/gh_users/auth-refresh'],
    ];
    for (const [method, target] of calls) {
      const ask = (expand: string) => through(method, `${target}?expand=${expand}`, token);
      expect((await ask('org_members_via_user.org')).text).toContain(`"id":"${org}"`);
      // Each further relation multiplies what the record store reads: this one once took it to 1.9 GB.
      const beyond = await ask('org_members_via_user.org.org_members_via_org.user');
      expect([method, beyond.status, beyond.text]).toEqual([method, 404, "There's nothing here."]);
    }
  });
});

describe('a first authenticator', () => {
  let world: TestProduct;
  let mona: Session;
  let octocat: Session;
  beforeAll(async () => {
    world = product;
    [mona, octocat] = await Promise.all([world.signIn('mona'), world.signIn('octocat')]);
  });

  const authenticatorsOf = async (session: Session) => (await ownRecord(world, session)).authenticators;

  /** Deletes all authenticators. */
  async function forget(): Promise<void> {
    for (const name of ['webauthn', 'totps', 'first_authenticators'])
      for (const { id } of await product.records.collection(name).getFullList())
        await product.records.collection(name).delete(id);
    for (const { record } of [mona, octocat])
      await product.records.collection('gh_users').update(record.id, { authenticators: null });
  }

  it('is registered, and in the person’s records and log as documented, without its key', async () => {
    const { key, ...answer } = await registerKey(world, mona, { label: '  Mona’s phone ' });
    const made = { type: 'passkey', label: 'Mona’s phone', key_id: key.id };
    const created = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect([answer.status, answer.json()]).toEqual([
      200,
      { ...made, id: expect.stringMatching(/^[a-z0-9]{15}$/), created },
    ]);
    const [record, ...others] = await listOf(world, mona, 'webauthn');
    expect([record, others]).toMatchObject([{ ...made, user: mona.record.id, attested: false }, []]);
    const secret = /^(public_key|counter|transports|secret)$/;
    expect(Object.keys(record ?? {}).filter((name) => secret.test(name))).toEqual([]);
    expect(await authenticatorsOf(mona)).toEqual({
      [world.github.facts.orgID]: { totp: false, webauthn: [{ id: key.id }] },
    });
    const data = { type: 'passkey', label: 'Mona’s phone', user: 'mona', org: 'octo-org' };
    expect(await listOf(world, mona, 'gh_activities')).toMatchObject([
      { activity: 'webauthnRegister', user_id: mona.record.id, data },
    ]);

    const copy = new SoftwareAuthenticator(world.origin, key.credentialId);
    const taken = await registerKey(world, octocat, { key: copy });
    expect([taken.status, taken.text]).toEqual([409, 'The authenticator was previously registered']);
    expect(await authenticatorsOf(octocat)).toEqual({});
  });

  it('has the credential id of the authenticator’s data, not of the browser’s field', async () => {
    await forget();
    const key = new SoftwareAuthenticator(world.origin);
    const create = key.create.bind(key);
    key.create = (...given) => ({ ...create(...given), id: 'AAAA', rawId: 'AAAA' });
    expect((await registerKey(world, mona, { key })).json()).toMatchObject({ key_id: key.id });
  });

  it('is registered separately for each organization', async () => {
    await registerPasskey(world, octocat);
    await registerPasskey(world, octocat, otherOrgOf(world));
    const { orgID, otherOrgID } = world.github.facts;
    const map = (await authenticatorsOf(octocat)) as Record<string, { webauthn: unknown[] }>;
    expect(Object.keys(map).sort()).toEqual([orgID, otherOrgID].map(String).sort());
    for (const { webauthn } of Object.values(map)) expect(webauthn).toHaveLength(1);
  });

  it('is only one of two that arrive at the same time', async () => {
    for (let round = 0; round < 3; round += 1) {
      await forget();
      const answers = await Promise.all([registerKey(world, mona), registerKey(world, mona)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
      const stored = await product.records.collection('webauthn').getFullList();
      expect(stored.map(({ key_id }) => key_id)).toEqual([
        answers.find(({ status }) => status === 200)?.key.id,
      ]);
    }
  });

  it('is stored with its log entry, or not at all', async () => {
    await forget();
    const log = product.records.collection('gh_activities');
    const before = await log.getFullList();
    const { collections } = product.records;
    const { fields } = await collections.getOne('gh_activities');
    const broken = fields.map((field) => (field.name === 'data' ? { ...field, maxSize: 1 } : field));
    await collections.update('gh_activities', { fields: broken });
    expect((await registerKey(world, mona)).status).toBeGreaterThanOrEqual(500);
    await collections.update('gh_activities', { fields });
    expect(await product.records.collection('webauthn').getFullList()).toEqual([]);
    expect(await log.getFullList()).toEqual(before);
  });
});

describe('realtime', () => {
  it('sends only what a subscription’s query asks for, with the person expanded', async () => {
    const mona = await realMember();
    const filter = `org = "${mona.org}" && data.login = "the-one"`;
    const options = encodeURIComponent(JSON.stringify({ query: { filter, expand: 'user_id' } }));
    // The record store binds a listener to its address.
    const listener = await listen(product, { 'x-forwarded-for': '192.0.2.1' });
    const topics = ['PB_CONNECT', `gh_activities/*?options=${options}`];
    expect(await listener.subscribe({ token: mona.token }, topics)).toBe(204);
    for (const login of ['another', 'the-one'])
      await product.records
        .collection('gh_activities')
        .create({ activity: 'totpCollect', data: { login }, user_id: mona.id, org: mona.org });
    await until('the activity', async () => listener.received().includes('"login":"the-one"'));
    expect(listener.received()).toContain('"username":"mona"');
    expect(listener.received()).not.toContain('"login":"another"');
    listener.close();
  });
});

describe('migrating the record store', () => {
  const client = (store: { url: string; email: string; password: string }) => createStoreClient(store);
  const bring = (store: { url: string; email: string; password: string }) =>
    migrate(client(store), product.config, product.config.github);

  const withStore = async (work: (store: Awaited<ReturnType<typeof startEmptyStore>>) => Promise<void>) => {
    const store = await startEmptyStore();
    await work(store).finally(store.stop);
  };

  /** The collections in the record store, without their timestamps and the order of fields. */
  async function schemaOf(superuser: PocketBase): Promise<string> {
    const all = await superuser.collections.getFullList({ sort: 'name' });
    for (const { fields } of all) fields.sort((one, other) => one.name.localeCompare(other.name));
    return JSON.stringify(all, (key, value) => {
      // Each import of a view creates its fields again, with new ids.
      const isPassing = ['updated', 'created'].includes(key) || (key === 'id' && /^_clone_/.test(value));
      return isPassing ? undefined : value;
    });
  }

  // A conflict between them depends on a few milliseconds.
  it.each(process.env.SOAK ? [1, 2, 3, 4] : [1])(
    'has the same result for four clients at the same time, and again later (round %d)',
    () =>
      withStore(async (store) => {
        await Promise.all([bring(store), bring(store), bring(store), bring(store)]);
        const names = (await store.records.collections.getFullList()).map(({ name }) => name);
        const wanted = collections(product.config.github).map(({ name }) => name);
        expect(names).toEqual(expect.arrayContaining(wanted));
        expect(names).not.toContain('users');
        const versions = await store.records.collection('schema_versions').getFullList<{ version: number }>();
        expect(versions.map(({ version }) => version)).toEqual([SCHEMA_VERSION]);
        const before = await schemaOf(store.records);
        await bring(store);
        expect(await schemaOf(store.records)).toBe(before);
      }),
  );

  it('takes back what somebody changed in the store', async () => {
    await bring(product.store);
    const before = await schemaOf(product.records);
    const { fields } = await product.records.collections.getOne('totps');
    const shown = fields.map((field) => ({ ...field, hidden: false }));
    await product.records.collections.update('webauthn', { listRule: '' });
    await product.records.collections.update('one_time_keys', { indexes: [] });
    await product.records.collections.update('totps', { fields: shown });
    expect(await schemaOf(product.records)).not.toBe(before);
    await bring(product.store);
    expect(await schemaOf(product.records)).toBe(before);
  });

  it('hashes our random password at bcrypt’s lowest cost, and one that somebody else sets at its usual cost', () =>
    withStore(async (store) => {
      const costs = () => {
        const files = ['data.db', 'data.db-wal'].map((name) => join(store.dataDir, 'pocketbase/data', name));
        const hashes = files.flatMap((path) => readFileSync(path, 'latin1').match(/\$2[ab]\$\d\d\$/g) ?? []);
        return [...new Set(hashes.map((hash) => hash.slice(4, 6)))].sort();
      };
      expect(costs()).toEqual(['04']);
      const password = 'chosen-by-a-person';
      await store.records
        .collection('_superusers')
        .create({ email: 'other@acme.test', password, passwordConfirm: password });
      expect(costs()).toEqual(['04', '10']);
    }));

  it('lets the embedded store’s superuser sign in only from this machine', () =>
    withStore(async (store) => {
      const scratch = mkdtempSync(join(tmpdir(), 'otp-guard-superuser-'));
      const embedded = { ...product.config, store: { kind: 'embedded', dataDir: scratch } as const };
      await migrate(client(store), embedded, product.config.github);
      const signIn = (headers: Record<string, string>) =>
        raw(store.url, 'POST', '/api/collections/_superusers/auth-with-password', {
          body: { identity: store.email, password: store.password },
          headers,
        });
      expect((await signIn({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(403);
      expect((await signIn({ 'x-forwarded-for': '127.0.0.1' })).status).toBe(200);
      rmSync(scratch, { recursive: true, force: true });
    }));
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pMap from 'p-map';
import { memberQueries } from '../../src/adapters/pocketbase/collections.ts';
import type { Collection, Field } from '../../src/adapters/pocketbase/schema/fields.ts';
import { collections } from '../../src/adapters/pocketbase/schema.ts';
import { until } from '../support/product.ts';
import { type ProductOverStore, startProductOverStore } from '../support/product-over-store.ts';
import { type Listener, listen } from '../support/realtime.ts';
import { raw, signInAs } from '../support/sign-in.ts';

// Who may do what in the record store: through the product, and directly, because its own rules have to hold too.

const SCHEMA = collections({ clientId: '', clientSecret: '', serverUrl: '', apiUrl: '' });
const STORED = SCHEMA.filter(({ type }) => type !== 'view');
const OPEN = ['gh_users', ...Object.keys(memberQueries)];
const SYSTEM = ['_superusers', '_externalAuths', '_mfas', '_otps', '_authOrigins'];
const VIEWS = SCHEMA.filter(({ type }) => type === 'view').map(({ name }) => name);
const EVERY = [...SCHEMA.map(({ name }) => name), ...SYSTEM];
const ID = 'aaaaaaaaaaaaaaa';

/** Members: the holder of all records, another, the owner and an owner of the other organization. `ex` was an owner. */
const LOGINS = { self: 'mona', same: 'member-0001', owner: 'octocat', both: 'member-0002' };
const PEOPLE = { ...LOGINS, other: 'hubot', ex: 'member-0003' };
const MEMBERS = Object.keys(LOGINS);
const ACTORS = ['guest', ...Object.keys(PEOPLE)];

/** Nobody may see these, and only the person sees what is private. */
const SECRET = {
  public_key: 'secret-key',
  // Long, because ids and the numbers of ports are random.
  counter: 4_242_424_242,
  transports: ['secret-transport'],
  secret: 'secret-seed',
  ...{ leaf: 'secret-leaf', event: 'secret-event', person: 'secret-person', salts: 'secret-salts' },
  ...{ subject: 'secret-subject', nodes: 'secret-nodes', checkpoint: 'secret-checkpoint' },
};
const SECRETS = /secret-|4242424242|tokenKey/;
const PRIVATE = /private-/;

let product: ProductOverStore;
const tokens: Record<string, string> = {};
/** A record of `self` in each collection, and keys of others. */
const own: Record<string, string> = {};

beforeAll(async () => {
  product = await startProductOverStore({ crowd: 3 });
  const { asAdmin } = product;
  for (const [org, login] of [
    ['other-org', 'hubot'],
    ['other-org', 'member-0002'],
    ['octo-org', 'member-0003'],
  ])
    await asAdmin('PUT', `/orgs/${org}/memberships/${login}`, { role: 'admin' });
  for (const [actor, login] of Object.entries(PEOPLE)) {
    const { token, record } = await signInAs(product, login);
    [tokens[actor], own[actor]] = [token, record.id];
  }
  tokens.superuser = product.records.authStore.token;
  await asAdmin('DELETE', '/orgs/octo-org/members/member-0003');
  const find = async (name: string, filter = '') =>
    (await product.records.collection(name).getFullList({ filter }))[0]?.id ?? '';
  const hasLeft = async () => (await find('org_members', 'login = "member-0003"')) === '';
  await until('the end of the membership', hasLeft);
  own.gh_users = own.self ?? '';
  own.organizations = await find('organizations', 'name = "octo-org"');
  own.org_members = await find('org_members', `user = "${own.self}"`);
  own.member_standings = own.org_members;
  own.schema_versions = await find('schema_versions');
  own._superusers = product.records.authStore.record?.id ?? '';
  own._externalAuths = await find('_externalAuths', `recordRef = "${own.self}"`);
  const hidden = { image: { name: 'private-image' }, address: 'private-address@example.org' };
  await product.records.collection('gh_users').update(own.gh_users, hidden);
  const create = async (name: string, number: number, change: object) =>
    (await product.records.collection(name).create({ ...full(name, number), ...SECRET, ...change })).id;
  for (const { name } of STORED) own[name] ||= await create(name, 1, {});
  own['key of ex'] = await create('webauthn', 2, { user: own.ex });
  const org = await find('organizations', 'name = "other-org"');
  own['key of other'] = await create('webauthn', 3, { user: own.other, org });
});
afterAll(() => product?.stop());

/** Complete and valid fields, so that only a rule can refuse them. */
function full(name: string, number: number) {
  const related = Object.fromEntries(SCHEMA.map((one) => [one.id, own[one.name] ?? '']));
  const each = STORED.find((one) => one.name === name);
  return each ? recordOf(each, related, number) : { label: 'x' };
}
const list = (name: string) => `/api/collections/${name}/records`;
const view = (name: string, id = own[name] || ID) => `${list(name)}/${id}`;
/** Every combination of the two. */
const pairs = <A, B>(ones: readonly A[], others: readonly B[]) =>
  ones.flatMap((one) => others.map((other): [A, B] => [one, other]));
const each = <T, R>(cases: T[], work: (one: T) => Promise<R>) => pMap(cases, work, { concurrency: 8 });
async function those<T>(cases: T[], are: (one: T) => Promise<boolean>): Promise<T[]> {
  const found = await each(cases, are);
  return cases.filter((_one, at) => found[at]);
}

type Server = 'store' | 'product';
const originOf = (server: Server) => (server === 'store' ? product.store.url : product.origin);
/** Throws if the answer has what the actor may not see. */
async function send(server: Server, method: string, target: string, actor: string, body?: unknown) {
  const answer = await raw(originOf(server), method, target, { token: tokens[actor], body });
  const isOwn = server === 'product' && actor === 'self' && target.startsWith(list('gh_users'));
  const isShown = SECRETS.test(answer.text) || (PRIVATE.test(answer.text) && !isOwn);
  if (isShown && actor !== 'superuser') throw new Error(`${actor}: ${method} ${target}: ${answer.text}`);
  return answer;
}
const statusOf = async (...[server, method, target, actor, body]: Parameters<typeof send>) =>
  (await send(server, method, target, actor, body)).status;

/** Every way from one collection to another, along a relation or back. */
const WAYS = SCHEMA.flatMap(({ name, fields }) =>
  fields.flatMap(({ type, name: by, collectionId }) => {
    const to = SCHEMA.find(({ id }) => id === collectionId && type === 'relation')?.name;
    return to
      ? [
          { from: name, by, to },
          { from: to, by: `${name}_via_${by}`, to: name },
        ]
      : [];
  }),
);

type Action = (server: Server, actor: string, name: string) => Promise<boolean>;
const listing =
  (query: (name: string, server: Server) => string): Action =>
  async (server, actor, name) => {
    const { status, text } = await send(server, 'GET', `${list(name)}?${query(name, server)}`, actor);
    return status === 200 && text.includes(`"id":"${own[name]}"`);
  };
const change =
  (method: string): Action =>
  async (server, actor, name) => {
    const body = method === 'DELETE' ? undefined : full(name, 8);
    const status = await statusOf(server, method, method === 'POST' ? list(name) : view(name), actor, body);
    const isCall = method === 'DELETE' && ['webauthn', 'totps'].includes(name);
    if (server === 'product') return status !== (isCall ? 401 : 404);
    // A rule of null refuses with 403. Only GitHub's sign-in may create a user, and a view has no records of its own.
    return !VIEWS.includes(name) && status !== (name === 'gh_users' && method === 'POST' ? 400 : 403);
  };
const orgOf: Record<string, string> = { organizations: 'name', totps: 'org_id.name' };

/** The acts that an actor can do with the record of `self`, by a letter. */
const ACTIONS: Record<string, Action> = {
  l: listing(() => ''),
  v: async (server, actor, name) => (await statusOf(server, 'GET', view(name), actor)) === 200,
  f: listing((name, server) =>
    server === 'store' ? 'filter=id!=""' : `filter=${orgOf[name] ?? 'org.name'}="octo-org"`,
  ),
  s: listing((_name, server) => (server === 'store' ? 'sort=-id' : 'sort=-created')),
  async e(server, actor, name) {
    const shown = await those(WAYS, async ({ from, by, to }) => {
      if (to !== name) return false;
      const { text } = await send(server, 'GET', `${view(from)}?expand=${by}`, actor);
      return new RegExp(`"expand":.*"id":"${own[name]}"`).test(text);
    });
    return shown.length > 0;
  },
  r: async (server, actor, name) => hears(server, actor, name),
  c: change('POST'),
  u: change('PATCH'),
  d: change('DELETE'),
};

const listeners: Record<string, Listener> = {};
function hears(server: Server, actor: string, name: string): boolean {
  const event = new RegExp(`event:${name}/\\*\\ndata:.*"id":"${own[name]}"`);
  return event.test(listeners[`${server} ${actor}`]?.received() ?? '');
}

/** Subscribes everybody to all they can, updates each record of `self`, and waits for those who must hear it. */
async function hearUpdates(): Promise<void> {
  for (const [server, actor] of pairs(['store', 'product'] as const, ACTORS)) {
    // The record store binds a listener to its address.
    const listener = await listen({ origin: originOf(server) }, { 'x-forwarded-for': '192.0.2.1' });
    const names = server === 'store' ? SCHEMA.map(({ name }) => name) : OPEN.slice(1);
    const topics = names.map((name) => `${name}/*`);
    const { [actor]: token } = tokens;
    expect(await listener.subscribe({ ...(token && { token }) }, topics)).toBe(204);
    listeners[`${server} ${actor}`] = listener;
  }
  for (const { name } of STORED) await product.records.collection(name).update(own[name] ?? '', {});
  for (const [server, actor] of pairs(['store', 'product'] as const, MEMBERS))
    await until(`${server}, ${actor}`, async () => hears(server, actor, OPEN.at(-1) ?? ''));
  for (const { received, close } of Object.values(listeners)) {
    expect(received()).not.toMatch(SECRETS);
    expect(received()).not.toMatch(PRIVATE);
    close();
  }
}

/** Every stored record, except those that the product writes itself in the meantime. */
const everything = () =>
  each(
    EVERY.filter((name) => !['_authOrigins', 'reconcile_reports', 'repository_checks'].includes(name)),
    (name) => product.records.collection(name).getFullList({ sort: 'id', filter: OURS[name] ?? '' }),
  );

/** The keys of the test's own records and attempts: the scheduler takes others for its rounds. */
const OURS: Record<string, string> = { one_time_keys: "key ~ 'key-%'" };

/** A line for each collection with which anybody can do anything. */
async function tableOf(server: Server): Promise<string[]> {
  const rows = await each(EVERY, async (name) => {
    const isClosed = server === 'product' && !OPEN.includes(name);
    const letters = SYSTEM.includes(name) ? 'lvfs' : isClosed ? 'lvcud' : 'lvfsercud';
    const cells = await each(ACTORS, async (actor) => {
      const can = await those(
        [...letters],
        async (letter) => (await ACTIONS[letter]?.(server, actor, name)) ?? true,
      );
      return can.join('') || '-';
    });
    return [name, ...cells].join(' ');
  });
  return rows.filter((row) => !row.endsWith(' -'.repeat(ACTORS.length)));
}

/** List, view, filter, sort, expand, realtime, create, update, delete. */
const GOLDEN: Record<Server, string> = {
  store: `          guest self   same   owner  both   other ex
    gh_users       -     lvfser lvfser lvfser lvfser -     -
    organizations  -     lvfser lvfser lvfser lvfser -     -
    org_members    -     lvfser lvfser lvfser lvfser -     -
    webauthn       -     lvfser -      lvfser -      -     -
    totps          -     lvfser -      lvfser -      -     -
    gh_activities  -     lvfser lvfser lvfser lvfser -     -
    gh_commits     -     lvfser lvfser lvfser lvfser -     -
    _externalAuths -     lvfs   -      -      -      -     -`,
  product: `        guest self   same   owner  both   other ex
    gh_users       -     ve     e      e      e      -     -
    organizations  -     lvfser lvfser lvfser lvfser -     -
    org_members    -     lvfser lvfsr  lvfsr  lvfsr  -     -
    webauthn       -     lvfsr  -      lvfsr  -      -     -
    totps          -     lvfsr  -      lvfsr  -      -     -
    gh_activities  -     lvfser lvfser lvfser lvfser -     -
    gh_commits     -     lvfsr  lvfsr  lvfsr  lvfsr  -     -`,
};

describe('a member’s record', () => {
  it('can be seen by whom the tables say, and changed by nobody', async () => {
    await hearUpdates();
    const before = await everything();
    expect(before.flat().map(({ id }) => id)).toContain(own.one_time_keys);
    for (const server of ['store', 'product'] as const) {
      const [, ...wanted] = GOLDEN[server].split('\n').map((line) => line.trim().replace(/ +/g, ' '));
      expect((await tableOf(server)).sort()).toEqual(wanted.sort());
    }
    expect(await everything()).toEqual(before);
  });

  it('is shown to its organization’s owners even if its holder has left, and to no other owners', async () => {
    const seen = (key: string) =>
      those(
        ACTORS,
        async (actor) => (await statusOf('store', 'GET', view('webauthn', own[key]), actor)) === 200,
      );
    expect(await seen('key of ex')).toEqual(['owner']);
    expect(await seen('key of other')).toEqual(['owner', 'both', 'other']);
  });

  it.each([{ suspended: true }, { installation_id: 0 }])(
    'is hidden while its organization has %j',
    async (off) => {
      const organizations = product.records.collection('organizations');
      const { suspended, installation_id } = await organizations.getOne(own.organizations ?? '');
      await organizations.update(own.organizations ?? '', off);
      const asked = pairs(OPEN.slice(1), MEMBERS);
      const shown = await those(
        asked,
        async ([name, actor]) => (await statusOf('store', 'GET', view(name), actor)) === 200,
      );
      await organizations.update(own.organizations ?? '', { suspended, installation_id });
      // Except names, and their own authenticators.
      const isShown = ([name, actor]: string[]) =>
        /^org/.test(name ?? '') || (actor === 'self' && !/^gh/.test(name ?? ''));
      expect(shown).toEqual(asked.filter(isShown));
    },
  );
});

/** Names to filter or sort by: fields that nobody may see, in a collection itself and along every way to it. */
const HIDDEN = SCHEMA.flatMap(({ name, fields }) => {
  const isOpen = OPEN.includes(name);
  const hidden = fields.filter((field) => field.hidden || (!isOpen && field.type !== 'relation'));
  const names = [
    ...hidden.map((field) => field.name),
    ...(name === 'gh_users' ? ['tokenKey', 'password'] : []),
  ];
  const ways = WAYS.filter(({ from, to }) => to === name && OPEN.includes(from));
  const along = ways.flatMap(({ from, by }) => names.map((field) => [from, `${by}.${field}`]));
  return [...(isOpen ? names.map((field) => [name, field]) : []), ...along];
}) as [name: string, field: string][];

/** Filters that would tell a member about another by what they find. */
const ORACLES = [
  ['gh_users', 'webauthn_via_user.label ?= "label-1"'],
  ['org_members', 'user.totps_via_user_id.label ?= "label-1"'],
  ['gh_activities', 'user_id.webauthn_via_user.label ?= "label-1"'],
  ['organizations', 'webauthn_via_org.key_id ?~ "key_id-1"'],
  ['organizations', 'totps_via_org_id.label ?= "label-1"'],
  ['gh_users', 'image ~ "private-image"'],
  ['gh_activities', 'user_id.address ?~ "private-address"'],
  ['gh_activities', '@collection.webauthn.label ?= "label-1"'],
] as const;

describe('a query at the record store', () => {
  it('cannot filter or sort by a hidden field', async () => {
    const queries = HIDDEN.flatMap(([name, field]) => [
      `${list(name)}?filter=${encodeURIComponent(`${field} ~ "a" || id != ""`)}`,
      `${list(name)}?sort=-${field}`,
    ]);
    // An owner sees the most. What is hidden depends on nobody.
    const asked = pairs(queries, process.env.SOAK ? ['self', 'same', 'owner'] : ['owner']);
    expect(
      await those(asked, async ([target, by]) => (await statusOf('store', 'GET', target, by)) !== 400),
    ).toEqual([]);
    await each(HIDDEN, ([name, field]) => send('store', 'GET', `${list(name)}?fields=*,${field}`, 'owner'));
  });

  it('gives nobody a session by a password, a code or another person', async () => {
    const password = 'a-password-of-self';
    const users = product.records.collection('gh_users');
    const { email } = await users.update(own.gh_users ?? '', { password, passwordConfirm: password });
    ({ token: tokens.self = '' } = await signInAs(product, LOGINS.self));
    const body = { identity: email, email, password, otpId: ID };
    for (const call of ['auth-with-password', 'request-otp', 'auth-with-otp', `impersonate/${own.same}`]) {
      const target = `/api/collections/gh_users/${call}`;
      expect([call, await statusOf('store', 'POST', target, 'self', body)]).toEqual([call, 403]);
    }
  });

  it('tells a member nothing about another by what it finds', async () => {
    const found = async (actor: string, name: string, filter: string) => {
      const { status, text } = await send(
        'store',
        'GET',
        `${list(name)}?filter=${encodeURIComponent(filter)}`,
        actor,
      );
      return `${status} ${text.match(/"totalItems":\d+/)}`;
    };
    const telling = (actor: string) =>
      those([...ORACLES], async ([name, yes]) => {
        const no = yes.replace(/"[^"]+"$/, '"of nobody"');
        return (await found(actor, name, yes)) !== (await found(actor, name, no));
      });
    expect([await telling('superuser'), await telling('same')]).toEqual([ORACLES, []]);
  });
});

// Every route, method and spelling: test/unit/http/allow-list.test.ts.
it('a route of the record store that is not for users is nothing through the product', async () => {
  const routes = ['settings', 'logs', 'backups', 'crons', 'batch', 'collections', 'files/token'];
  const signIns = ['auth-with-password', 'request-otp', 'confirm-password-reset', `impersonate/${ID}`];
  const targets = [
    ...routes.map((route) => `/api/${route}`),
    ...pairs(['_superusers', 'gh_users'], signIns).map((names) => `/api/collections/${names.join('/')}`),
    ...[view('challenges'), list('approvals'), '/api/collections/webauthn/truncate'],
    ...['/_/', '/_', '/_/index.html', '/_/#/login'],
  ];
  for (const method of ['GET', 'POST', 'DELETE'])
    expect(
      await those(
        targets,
        async (target) => (await statusOf('product', method, target, 'superuser')) !== 404,
      ),
    ).toEqual([]);
});

/**
 * A full record of one of our collections. Another `number` makes a record that differs in each unique field.
 *
 * @param related The id of a record of each collection, by the collection's id.
 */
function recordOf(
  { type, fields }: Collection,
  related: Record<string, string>,
  number: number,
): Record<string, unknown> {
  const own = fields.filter((field) => field.type !== 'autodate');
  const values = Object.fromEntries(own.map((field) => [field.name, fieldValue(field, related, number)]));
  const password = `password-${number}`;
  return type === 'auth' ? { ...values, password, passwordConfirm: password } : values;
}

function fieldValue(field: Field, related: Record<string, string>, number: number): unknown {
  const { collectionId, maxSelect, values } = field as {
    collectionId?: string;
    maxSelect?: number;
    values?: string[];
  };
  const byType: Record<string, unknown> = {
    text: `${field.name}-${number}`,
    email: `${number}@unconfirmed.invalid`,
    number: 7_000 + number,
    bool: true,
    json: { of: number },
    date: '2999-01-01 00:00:00.000Z',
    select: values?.[0],
  };
  if (field.type !== 'relation') return byType[field.type];
  const id = related[collectionId ?? ''];
  return maxSelect === 1 ? id : [id];
}

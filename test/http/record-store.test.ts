import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pMap from 'p-map';
import type PocketBase from 'pocketbase';
import { createStoreClient } from '../../src/pocketbase/client.ts';
import type { Collection, Field } from '../../src/pocketbase/schema/fields.ts';
import { migrate } from '../../src/pocketbase/schema/migrate.ts';
import { readableCollections } from '../../src/pocketbase/schema/readable-collections.ts';
import { collections, SCHEMA_VERSION } from '../../src/pocketbase/schema/schema.ts';
import { serverCollections } from '../../src/pocketbase/schema/server-collections.ts';
import { until } from '../support/product.ts';
import {
  type ProductOverStore,
  type RawAnswer,
  raw,
  signInAs,
  startEmptyStore,
  startProductOverStore,
} from '../support/product-over-store.ts';
import { listen } from '../support/realtime.ts';
import { recordOf } from '../support/record-of.ts';

let product: ProductOverStore;
let world: Awaited<ReturnType<typeof seed>>;

/** Milliseconds by which the product's clock is ahead. */
let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };

beforeAll(async () => {
  product = await startProductOverStore({ clock });
  world = await seed(product.records);
  await until('the members of every organization', async () => {
    const orgs = await product.records.collection('organizations').getFullList<{ members_at: string }>({
      filter: 'org_id < 9000',
    });
    return orgs.length === 2 && orgs.every(({ members_at }) => members_at !== '');
  });
});
afterAll(() => product?.stop());

/** Checks every case, several at a time, and returns those that fail. */
async function wrongOnes<T>(cases: T[], isRight: (one: T) => Promise<boolean>): Promise<T[]> {
  const found = await pMap(cases, async (one) => ((await isRight(one)) ? [] : [one]), { concurrency: 16 });
  return found.flat();
}

/** Every combination of the two. */
const pairs = <A, B>(ones: readonly A[], others: readonly B[]): [A, B][] =>
  ones.flatMap((one) => others.map((other): [A, B] => [one, other]));

/** Our collections, as the schema defines them. */
const SCHEMA = collections({ clientId: '', clientSecret: '', serverUrl: '', apiUrl: '' });
const READABLE = readableCollections.map(({ name }) => name);
/** The collections from which the product deletes records, after a step-up. */
const GUARDED = ['webauthn', 'totps'];
const SYSTEM = ['_superusers', '_externalAuths', '_mfas', '_otps', '_authOrigins'];
const SERVER_ONLY = [...serverCollections.map(({ name }) => name), ...SYSTEM];
const EVERY = ['gh_users', ...READABLE, ...SERVER_ONLY];

/** The values that tests look for. */
const MARKED: Record<string, object> = {
  open_pulls: { title: 'Waits' },
  email_codes: { email: 'code@example.org' },
  notices: { to: 'to@example.org' },
  approvals: { public_key: 'proof' },
};

const keyFields = (login: string, user: string, org: string) => ({
  type: 'passkey',
  label: `Label of ${login}`,
  key_id: `key-of-${login}`,
  user,
  org,
  public_key: 'public-key-of-self',
  counter: 4242,
  transports: ['transport-of-self'],
});

/**
 * Two organizations and their people: `self` and `same` are members of ours, `owner` owns it; `other` owns the other
 * one, `both` owns that too and is a member of ours; `ex` belonged to ours. `self` has a record in every collection.
 */
async function seed(records: PocketBase) {
  const create = async (collection: string, fields: object) =>
    (await records.collection(collection).create<{ id: string }>(fields)).id;
  let githubId = 100;
  const person = async (login: string) => {
    githubId += 1;
    const password = `password-of-${login}`;
    const id = await create('gh_users', {
      github_id: githubId,
      username: login,
      avatar: `https://avatars.example/${login}`,
      email: `${githubId}@unconfirmed.invalid`,
      verified: true,
      password,
      passwordConfirm: password,
      image: { name: `image-of-${login}` },
      authenticators: { 9001: { totp: true, webauthn: [{ id: `map-of-${login}` }] } },
      address: `address-of-${login}@example.org`,
    });
    const { authStore } = await records.collection('gh_users').impersonate(id, 3600);
    return { id, login, githubId, token: authStore.token };
  };
  const [self, same, owner] = [await person('self'), await person('same'), await person('owner')];
  const [other, both, ex] = [await person('other'), await person('both'), await person('ex')];
  const organization = (org_id: number, name: string) =>
    create('organizations', { org_id, name, account_type: 'Organization', installation_id: org_id });
  const [org, otherOrg] = [await organization(9001, 'ours'), await organization(9002, 'theirs')];
  const join = ({ id, githubId: github_id, login }: typeof self, organization: string, role: string) =>
    create('org_members', { user: id, github_id, login, org: organization, role });
  const membership = await join(self, org, 'member');
  for (const [who, where, role] of [
    [same, org, 'member'],
    [owner, org, 'admin'],
    [both, org, 'member'],
    [both, otherOrg, 'admin'],
    [other, otherOrg, 'admin'],
  ] as const)
    await join(who, where, role);
  await records.collection('org_members').delete(await join(ex, org, 'admin'));
  const keyOf = ({ id, login }: typeof self, organization: string) =>
    create('webauthn', keyFields(login, id, organization));
  const appOf = ({ id, login }: typeof self, organization: string) =>
    create('totps', { label: `Label of ${login}`, user_id: id, org_id: organization, secret: 'sealed' });
  const account = {
    collectionRef: 'pbc_gh_users',
    recordRef: self.id,
    provider: 'github',
    providerId: '101',
  };
  const own: Record<string, string> = {
    gh_users: self.id,
    organizations: org,
    org_members: membership,
    webauthn: await keyOf(self, org),
    totps: await appOf(self, org),
    // A view over the memberships, with their ids.
    member_standings: membership,
    _externalAuths: await create('_externalAuths', account),
    _superusers: records.authStore.record?.id ?? '',
  };
  const others = {
    webauthn: { other: await keyOf(other, otherOrg), ex: await keyOf(ex, org) },
    totps: { other: await appOf(other, otherOrg), ex: await appOf(ex, org) },
  };
  const related = Object.fromEntries(SCHEMA.map(({ id, name }) => [id, own[name] ?? '']));
  for (const each of SCHEMA.filter(({ name }) => !own[name] && name !== 'schema_versions')) {
    own[each.name] = await create(each.name, { ...recordOf(each, related, 1), ...MARKED[each.name] });
    related[each.id] = own[each.name] ?? '';
  }
  const people = { self, same, owner, other, both, ex };
  const tokens = Object.entries(people).map(([name, { token }]) => [name, token]);
  const actors: Record<keyof typeof people | 'guest', string | undefined> = Object.fromEntries(tokens);
  return { ...people, org, otherOrg, own, others, actors };
}

type Actor = keyof Awaited<ReturnType<typeof seed>>['actors'];
const ACTORS: Actor[] = ['guest', 'self', 'same', 'owner', 'other', 'both', 'ex'];
/** Members of the organization of `self`. */
const MEMBERS: Actor[] = ['self', 'same', 'owner', 'both'];

/** Who may see the records of `self`. Nobody may create, change or delete any. */
const VISIBLE: Record<string, Actor[]> = {
  // Through the product, a fellow member can only be read by `expand`.
  gh_users: MEMBERS,
  organizations: MEMBERS,
  org_members: MEMBERS,
  webauthn: ['self', 'owner'],
  totps: ['self', 'owner'],
  gh_activities: MEMBERS,
  gh_commits: MEMBERS,
  ...Object.fromEntries(SERVER_ONLY.map((name) => [name, []])),
  // The record store's own collection: its rules can't be changed, and the product answers 404.
  _externalAuths: ['self'],
};

/** What the record store shows to nobody, not even the person. */
const SECRETS =
  /public-key-of|transport-of|4242|sealed|tokenKey|image-of|map-of|address-of|code@example|to@example/;

/** Every stored record, so that a test can see whether something changed. */
async function snapshot(): Promise<string> {
  const all = await Promise.all(
    // Written meanwhile: the origins of our own sign-ins, and what the product's rounds report.
    EVERY.filter((name) => !['_authOrigins', 'reconcile_reports'].includes(name)).map((name) =>
      product.records.collection(name).getFullList({ sort: 'id' }),
    ),
  );
  return JSON.stringify(all);
}

const direct = (method: string, target: string, actor: Actor, options: { body?: unknown } = {}) =>
  raw(product.store.url, method, target, { token: world.actors[actor], ...options });

/** A request through the product. */
const through = (method: string, target: string, token?: string, body?: unknown) =>
  raw(product.origin, method, target, { token, body });

const records = (name: string, rest = '') => `/api/collections/${name}/records${rest}`;
const itemsOf = ({ text }: RawAnswer) => (JSON.parse(text) as { items?: { id: string }[] }).items ?? [];

/** One line for each list of methods and targets. */
const routes = (text: string): [method: string, target: string][] =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [methods = '', ...targets] = line.trim().split(' ');
      return pairs(methods.split('|'), targets);
    });
const ID = 'aaaaaaaaaaaaaaa';

/** The routes of the record store's own API that are not for users. */
const FORBIDDEN = [
  ...routes(`
    GET|PATCH /api/settings
    POST /api/settings/test/s3 /api/settings/test/email /api/settings/apple/generate-client-secret
    GET /api/logs /api/logs/stats /api/logs/${ID} /api/crons /api/files/webauthn/${ID}/a.png
    GET|POST /api/backups /api/oauth2-redirect /api/collections
    POST /api/backups/upload /api/backups/a.zip/restore /api/crons/a /api/batch /api/files/token
    GET|DELETE /api/backups/a.zip
    PUT /api/collections/import
    GET /api/collections/meta/scaffolds /api/collections/meta/oauth2-providers
    GET|PATCH|DELETE /api/collections/webauthn
    DELETE /api/collections/webauthn/truncate /api/realtime
    POST /api/collections/_superusers/auth-refresh /api/collections/_superusers/auth-with-oauth2
    GET /api/collections/_superusers/auth-methods /api/collections/gh_users/auth-refresh
    POST /api/collections/gh_users/auth-methods
    GET ${records('gh_users', `/${ID}/external-auths`)}
    DELETE ${records('gh_users', `/${ID}/external-auths/github`)}
    PATCH|DELETE ${records('gh_users', `/${ID}`)}
    PATCH /api/health
    HEAD|OPTIONS|TRACE /api/collections
    GET /api /api/ /api/unknown`),
  ...['_superusers', 'gh_users'].flatMap((name) => {
    const calls = `auth-with-password auth-with-otp request-otp request-password-reset confirm-password-reset
      request-verification confirm-verification request-email-change confirm-email-change impersonate/${ID}`;
    const targets = calls.split(/\s+/).map((call) => `/api/collections/${name}/${call}`);
    return [...pairs(['POST'], targets), ...pairs(['GET', 'POST', 'PUT'], [records(name)])];
  }),
  ...SERVER_ONLY.flatMap((name) => [
    ...pairs(['GET', 'DELETE'], [records(name, `/${ID}`)]),
    ...pairs(['GET'], [records(name)]),
  ]),
  ...READABLE.flatMap((name) => [
    ...pairs(['POST', 'PUT'], [records(name)]),
    // Deleting an authenticator is one of the product's own calls.
    ...pairs(['PATCH', 'PUT', ...(GUARDED.includes(name) ? [] : ['DELETE'])], [records(name, `/${ID}`)]),
  ]),
];

/** One route of each kind that another spelling could open. */
const SAMPLE = routes(`
  GET /api/settings /api/logs /api/backups /api/collections /api/collections/webauthn
  POST /api/batch /api/collections/gh_users/impersonate/${ID} /api/collections/_superusers/auth-refresh
  GET ${records('_superusers')} ${records('approvals')}
  DELETE ${records('challenges', `/${ID}`)}
  POST ${records('webauthn')}
  PATCH ${records('org_members', `/${ID}`)}`);

/** Spellings that some servers take for the same path. */
const SPELLINGS: ((target: string) => string)[] = [
  ...['/', '?x=1', ';x=1', '%00', '#/api/health', '?/api/health'].map(
    (end) => (target: string) => target + end,
  ),
  ...['/', '/.', '/health/..', '/collections/webauthn/records/../../..', '/health/%2e%2e'].map(
    (more) => (target: string) => target.replace('/api', `/api${more}`),
  ),
  ...['/api%2f', '/api\\', '/api/health%2f..%2f'].map((start) => (target: string) => start + target.slice(5)),
  (target) => target.replace(/\/api\/(.)/, (_all, letter: string) => `/api/${hex(letter)}`),
  (target) => target.replace(/\/api\/(.)/, (_all, letter: string) => `/api/%25${hex(letter).slice(1)}`),
  (target) => `/api/${target.slice(5).toUpperCase()}`,
];

const hex = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;

describe('the record store’s own API, through the product', () => {
  /** A path that isn't recognized as the API's is a page of the dashboard. */
  const isNothing = async (page: RawAnswer, method: string, target: string, token: string | undefined) => {
    const answer = await through(method, target, token);
    return answer.status === 404
      ? !answer.text.includes('{')
      : [page.text, ''].includes(answer.text) && answer.type === page.type;
  };

  it('has no route outside the allow-list, for a guest, a user or the superuser', async () => {
    const tokens = [undefined, world.actors.self, product.records.authStore.token];
    const page = await through('GET', '/');
    const wrong = await wrongOnes(pairs(FORBIDDEN, tokens), ([[method, target], token]) =>
      isNothing(page, method, target, token),
    );
    expect(wrong).toEqual([]);
  });

  it('has no route outside the allow-list under another spelling, not even for the superuser', async () => {
    const page = await through('GET', '/');
    const wrong = await wrongOnes(pairs(SAMPLE, SPELLINGS), ([[method, target], spell]) =>
      isNothing(page, method, spell(target), product.records.authStore.token),
    );
    expect(wrong).toEqual([]);
  });

  it('does not serve the record store’s own dashboard, nor anything through an unusual path', async () => {
    const token = product.records.authStore.token;
    for (const target of ['/_/', '/_', '/_/index.html', '/_/#/login', '/_/?x=1'])
      expect([target, (await through('GET', target)).status]).toEqual([target, 404]);
    for (const path of ['//api', '/./api', '/x/../api', '/%61pi', '/\\api']) {
      const { status, type } = await through('GET', `${path}/settings`, token);
      expect([path, [200, 404].includes(status), type.includes('json')]).toEqual([path, true, false]);
    }
  });

  it('answers every route of the allow-list', async () => {
    const { own, token, ...self } = await realMember();
    const ask = async (method: string, target: string, as?: string) =>
      (await through(method, target, as)).status;
    expect(await ask('GET', '/api/health')).toBe(200);
    expect(await ask('GET', '/api/collections/gh_users/auth-methods')).toBe(200);
    expect(await ask('POST', '/api/collections/gh_users/auth-refresh', token)).toBe(200);
    expect(await ask('GET', records('gh_users', `/${self.id}`), token)).toBe(200);
    for (const name of READABLE) {
      expect([name, await ask('GET', records(name), token)]).toEqual([name, 200]);
      expect([name, await ask('GET', records(name, `/${own[name]}`), token)]).toEqual([name, 200]);
      expect([name, await ask('GET', records(name, `/${own[name]}`))]).toEqual([name, 404]);
    }
  });

  it('returns pages of at most fifty records', async () => {
    const { token } = await realMember();
    const ask = (query: string) => through('GET', records('webauthn', `?${query}`), token);
    const sizeOf = async (query: string) =>
      (JSON.parse((await ask(query)).text) as { perPage: number }).perPage;
    for (const perPage of ['500', '-1', '1e9', 'x', ''])
      expect([perPage, await sizeOf(`perPage=${perPage}`)]).toEqual([perPage, 50]);
    expect(await sizeOf('perPage=5&perPage=500')).toBeLessThanOrEqual(50);
    expect((await ask(`filter=${'x'.repeat(5000)}`)).status).toBe(404);
  });

  it('allows no other origin', async () => {
    const headers = { origin: 'https://evil.example' };
    const answer = await fetch(`${product.origin}/api/health`, { headers });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
  });
});

/** What a user would like to write. `record-rules.test.ts` has full records, sent to the record store itself. */
const BODY = {
  label: 'mine',
  role: 'admin',
  'role+': 'x',
  user: '',
  emailVisibility: true,
  tokenKey: 'x'.repeat(50),
};

describe('a user’s write to the record store', () => {
  it('changes nothing in any collection, through the product', async () => {
    const before = await snapshot();
    const body = { ...BODY, user: world.same.id };
    const writes = EVERY.flatMap((name) => {
      const id = world.own[name] ?? ID;
      const isCall = (method: string) => method === 'DELETE' && GUARDED.includes(name);
      return [
        ...pairs(['POST', 'PUT'], [records(name)]),
        ...pairs(['PATCH', 'PUT', 'DELETE'], [records(name, `/${id}`)]),
      ].flatMap(([method, target]) =>
        [body, { ...body, id }].map((sent) => ({ method, target, sent, status: isCall(method) ? 401 : 404 })),
      );
    });
    const actors: Actor[] = ['guest', 'self', 'owner'];
    const passed = await wrongOnes(
      pairs(writes, actors),
      async ([{ method, target, sent, status }, actor]) => {
        const answer = await through(
          method,
          target,
          world.actors[actor],
          method === 'DELETE' ? undefined : sent,
        );
        return answer.status === status;
      },
    );
    expect(passed).toEqual([]);
    expect(await snapshot()).toBe(before);
  });

  it('changes nothing under another spelling of the path', async () => {
    const before = await snapshot();
    const id = world.own.webauthn ?? '';
    const usual = records('webauthn', `/${id}`);
    const others = ['pbc_webauthn', 'WEBAUTHN', '%77ebauthn', 'x/../webauthn'].map((name) =>
      records(name, `/${id}`),
    );
    const targets = [usual, ...others, ...SPELLINGS.map((spell) => spell(usual))];
    const methods = ['DELETE', 'PATCH', 'PUT'];
    const wrong = await wrongOnes(pairs(methods, targets), async ([method, target]) => {
      const isCall = method === 'DELETE' && target.split(/[?#]/)[0] === usual;
      const refused =
        (await through(method, target, world.actors.self, BODY)).status === (isCall ? 401 : 404);
      return refused && (await direct(method, target, 'self', { body: BODY })).status >= 300;
    });
    expect(wrong).toEqual([]);
    expect(await snapshot()).toBe(before);
  });

  it('changes nothing as a batch', async () => {
    const before = await snapshot();
    const member = { user: world.other.id, org: world.org, role: 'admin' };
    for (const request of [
      { method: 'DELETE', url: records('webauthn', `/${world.own.webauthn}`) },
      { method: 'POST', url: records('org_members'), body: member },
      { method: 'PUT', url: records('webauthn'), body: { id: world.own.webauthn, label: 'x' } },
      { method: 'PATCH', url: records('gh_users', `/${world.self.id}`), body: BODY },
    ]) {
      const answers = ACTORS.map((actor) =>
        direct('POST', '/api/batch', actor, { body: { requests: [request] } }),
      );
      for (const { status } of await Promise.all(answers)) expect(status).toBeGreaterThanOrEqual(400);
    }
    expect(await snapshot()).toBe(before);
  });

  it('gives nobody a session by password, code or e-mail', async () => {
    const identity = { identity: '101@unconfirmed.invalid', password: 'password-of-self' };
    for (const [call, body] of [
      ['auth-with-password', identity],
      ['request-otp', { email: '101@unconfirmed.invalid' }],
      ['auth-with-otp', { otpId: 'aaaaaaaaaaaaaaa', password: '123456' }],
      [`impersonate/${world.same.id}`, {}],
    ] as const) {
      const answer = await direct('POST', `/api/collections/gh_users/${call}`, 'self', { body });
      expect([call, answer.status >= 400]).toEqual([call, true]);
    }
  });
});

describe('reading from the record store directly', () => {
  const cells = pairs(EVERY, ACTORS);
  const canSee = (name: string, actor: Actor) => (VISIBLE[name] ?? []).includes(actor);
  const listedTo = async (name: string, actor: Actor, query = '') => {
    const answer = await direct('GET', records(name, query), actor);
    return answer.status === 200 ? itemsOf(answer).map(({ id }) => id) : [];
  };

  it('lists a record only to the people who may see it', async () => {
    const wrong = await wrongOnes(cells, async ([name, actor]) => {
      const isSeen = (await listedTo(name, actor)).includes(world.own[name] ?? '');
      return isSeen === canSee(name, actor);
    });
    expect(wrong).toEqual([]);
  });

  it('returns a record only to the people who may see it', async () => {
    const wrong = await wrongOnes(cells, async ([name, actor]) => {
      const answer = await direct('GET', records(name, `/${world.own[name] ?? 'aaaaaaaaaaaaaaa'}`), actor);
      return (answer.status === 200) === canSee(name, actor);
    });
    expect(wrong).toEqual([]);
  });

  it('lists no other records if filtered and sorted', async () => {
    const queries = ['filter=id!=""', 'sort=-id', 'filter=created>"2000-01-01"||id!=""', 'skipTotal=1'];
    const hidden = cells.filter(([name, actor]) => !canSee(name, actor));
    const wrong = await wrongOnes(pairs(hidden, queries), async ([[name, actor], query]) => {
      const seen = await listedTo(name, actor, `?${encodeURI(query)}`);
      return !seen.includes(world.own[name] ?? '');
    });
    expect(wrong).toEqual([]);
  });
});

type Way = { from: string; by: string; to: string };

/** Every way from one collection to another, along a relation or back. */
const WAYS: Way[] = SCHEMA.flatMap(({ name, fields }) =>
  fields
    .filter(({ type }) => type === 'relation')
    .flatMap((field): Way[] => {
      const to = SCHEMA.find(({ id }) => id === field.collectionId)?.name ?? '';
      return [
        { from: name, by: field.name, to },
        { from: to, by: `${name}_via_${field.name}`, to: name },
      ];
    }),
);

describe('expand', () => {
  it('shows only what the person may see', async () => {
    const wrong = await wrongOnes(pairs(WAYS, ACTORS), async ([{ from, by, to }, actor]) => {
      const answer = await direct('GET', records(from, `/${world.own[from]}?expand=${by}`), actor);
      const canSee = [from, to].every((one) => (VISIBLE[one] ?? []).includes(actor));
      const { expand: shown } = JSON.parse(answer.text) as { expand?: object };
      const isShown = JSON.stringify(shown ?? '').includes(`"id":"${world.own[to]}"`);
      return isShown === canSee && !SECRETS.test(answer.text);
    });
    expect(wrong).toEqual([]);
  });
});

/** Fields that nobody may see, in a collection itself and along every way to it: what to ask, and a value. */
const HIDDEN = EVERY.flatMap((name) => {
  const fields = SCHEMA.find((one) => one.name === name)?.fields ?? [];
  const isSecret = (field: Field) =>
    field.hidden === true || (SERVER_ONLY.includes(name) && field.type !== 'relation');
  const secret = fields.filter(isSecret).map((field) => field.name);
  const all = name === 'gh_users' ? [...secret, 'tokenKey', 'password', 'image.name'] : secret;
  const ways = WAYS.filter(({ from, to }) => to === name && READABLE.concat('gh_users').includes(from));
  const own = SERVER_ONLY.includes(name) ? [] : pairs([name], all);
  return [
    ...own,
    ...ways.flatMap(({ from, by }) =>
      pairs(
        [from],
        all.map((field) => `${by}.${field}`),
      ),
    ),
  ];
});

describe('a hidden field', () => {
  it('cannot be used to filter or sort', async () => {
    const queriesOf = (field: string) => [
      `filter=${field}="x"`,
      `filter=${field}!=4242`,
      `filter=${field}~"a"||id!=""`,
      `filter=${field}>0`,
      `sort=${field}`,
      `sort=-${field}`,
    ];
    const asked = HIDDEN.flatMap(([name, field]) => pairs([name], queriesOf(field)));
    const people = ACTORS.filter((actor) => actor !== 'guest');
    const wrong = await wrongOnes(pairs(asked, people), async ([[name, query], actor]) => {
      const target = records(name, `?${encodeURIComponent(query).replace('%3D', '=')}`);
      return (await direct('GET', target, actor)).status === 400;
    });
    expect(wrong).toEqual([]);
  });

  it('is not in the answer, even if requested', async () => {
    const asked = HIDDEN.flatMap(([name, field]) =>
      pairs([name], ['', `?fields=*,${field}`, `?fields=${field}`, '?fields=*']),
    );
    const wrong = await wrongOnes(asked, async ([name, query]) => {
      const answer = await direct('GET', records(name, `/${world.own[name]}${query}`), 'self');
      return !SECRETS.test(answer.text);
    });
    expect(wrong).toEqual([]);
  });
});

/** A filter over another person's records reveals them by what it finds, not only by what it shows. */
const ORACLES = [
  ...pairs(
    ['webauthn_via_user', 'totps_via_user_id'].flatMap((way) => [
      ['gh_users', way],
      ['org_members', `user.${way}`],
      ['gh_activities', `user_id.${way}`],
    ]),
    ['label ?= "Label of self"'],
  ).map(([[name = '', way = ''], test]) => [name, `${way}.${test}`]),
  ['organizations', 'webauthn_via_org.label ?= "Label of self"'],
  ['organizations', 'webauthn_via_org.key_id ?~ "key-of-self"'],
  ['organizations', 'totps_via_org_id.label ?= "Label of self"'],
  ['gh_users', 'email ~ "101@"'],
  ['org_members', 'user.email ~ "101@"'],
  ['organizations', 'org_members_via_org.user.email ?~ "101@"'],
  ['gh_activities', 'user_id.email ?~ "101@"'],
  ['gh_activities', 'user_id.address ?~ "address-of-self"'],
  ['gh_users', 'image ~ "image-of-self"'],
  ['gh_activities', '@collection.webauthn.label ?= "Label of self"'],
  ['gh_activities', '@collection.approvals.public_key ?= "proof"'],
].map(([name = '', yes = '']): [name: string, yes: string, no: string] => [
  name,
  yes,
  yes.replace(/"[^"]+"$/, '"of nobody"'),
]);

describe('a filter', () => {
  it('reveals nothing to a member about another member of the organization', async () => {
    const ask = async (name: string, filter: string, token: string | undefined) => {
      const target = records(name, `?filter=${encodeURIComponent(filter)}`);
      const answer = await raw(product.store.url, 'GET', target, { token });
      return `${answer.status} ${answer.status === 200 ? itemsOf(answer).length : 0}`;
    };
    const tells = async ([name, yes, no]: (typeof ORACLES)[number], token: string | undefined) =>
      (await ask(name, yes, token)) !== (await ask(name, no, token));
    // If the answers differ, the filter reveals something. It does for the superuser, and must not for a member.
    const superuser = product.records.authStore.token;
    expect(await wrongOnes(ORACLES, (oracle) => tells(oracle, superuser))).toEqual([]);
    expect(await wrongOnes(ORACLES, async (oracle) => !(await tells(oracle, world.actors.same)))).toEqual([]);
  });
});

/** Who sees other people's records, and in which organization. */
describe('another person’s authenticator', () => {
  const seenBy = async (name: 'webauthn' | 'totps', id: string) => {
    const statuses = ACTORS.map(
      async (actor) => (await direct('GET', records(name, `/${id}`), actor)).status,
    );
    const seen = await Promise.all(statuses);
    return ACTORS.filter((_actor, at) => seen[at] === 200);
  };

  it('is shown only to the owners of its organization, even if its holder is no longer a member', async () => {
    for (const name of ['webauthn', 'totps'] as const) {
      const { other, ex } = world.others[name];
      expect([await seenBy(name, other), await seenBy(name, ex)]).toEqual([['other', 'both'], ['owner']]);
    }
  });

  it('shows an owner its holder’s name, and nothing else about them', async () => {
    for (const [name, relation] of [
      ['webauthn', 'user'],
      ['totps', 'user_id'],
    ] as const) {
      const query = `?expand=${relation}&filter=${encodeURIComponent(`${relation} = "${world.self.id}"`)}`;
      const [record] = itemsOf(await direct('GET', records(name, query), 'owner')) as unknown as {
        expand: Record<string, Record<string, unknown>>;
      }[];
      const person = record?.expand[relation] ?? {};
      expect(person).toMatchObject({ id: world.self.id, username: 'self', github_id: 101 });
      expect(Object.keys(person).sort()).toEqual(PUBLIC_OF_A_PERSON);
    }
  });

  it('is listed to an owner, for every member', async () => {
    const answer = await direct('GET', records('webauthn'), 'owner');
    const labels = (itemsOf(answer) as unknown as { label: string }[]).map(({ label }) => label);
    expect(labels.sort()).toEqual(['Label of ex', 'Label of self']);
  });
});

/** What a member of an organization sees of another. */
const PUBLIC_OF_A_PERSON =
  'avatar collectionId collectionName created emailVisibility github_id id updated username verified'.split(
    ' ',
  );

describe('a fellow member', () => {
  it('has no private field in any answer', async () => {
    const chosen = ['*,expand.user.*', 'expand.user.image,expand.user.address,expand.user.email'];
    const asked = pairs(MEMBERS, ['', ...chosen.map((names) => `&fields=${names}`)]);
    for (const [actor, fields] of asked) {
      const target = records('org_members', `/${world.own.org_members}?expand=user${fields}`);
      const answer = await direct('GET', target, actor);
      expect([actor, answer.status]).toEqual([actor, 200]);
      expect(answer.text).not.toMatch(SECRETS);
      const { expand } = JSON.parse(answer.text) as { expand?: { user: object } };
      // Only the person sees the placeholder that the record store has as their e-mail.
      const shown = actor === 'self' ? [...PUBLIC_OF_A_PERSON, 'email'] : PUBLIC_OF_A_PERSON;
      for (const name of Object.keys(expand?.user ?? {})) expect(shown).toContain(name);
    }
  });
});

describe.each<[string, object]>([
  ['is suspended', { suspended: true }],
  ['was removed', { installation_id: 0 }],
])('an organization whose App %s', (_what, change) => {
  const set = (fields: object) => product.records.collection('organizations').update(world.org, fields);
  beforeAll(() => set(change));
  afterAll(() => set({ suspended: false, installation_id: 9001 }));

  it('shows members its name and their own authenticators, but no log and no other authenticators', async () => {
    for (const actor of MEMBERS) {
      const status = async (name: string, id = world.own[name]) =>
        (await direct('GET', records(name, `/${id}`), actor)).status;
      const isOwn = actor === 'self';
      const names = ['gh_activities', 'gh_commits', 'organizations', 'org_members', 'webauthn', 'totps'];
      const wanted = [404, 404, 200, 200, ...(isOwn ? [200, 200] : [404, 404])];
      expect([actor, ...(await Promise.all(names.map((name) => status(name))))]).toEqual([actor, ...wanted]);
      expect(itemsOf(await direct('GET', records('gh_activities'), actor))).toEqual([]);
    }
  });
});

/** A member of `octo-org` who signed in through the product, with a record in each readable collection. */
async function realMember(login = 'mona') {
  const { token, record, meta } = await signInAs(product, login);
  const all = product.records;
  const { facts } = product.github;
  const org = await all.collection('organizations').getFirstListItem(`org_id = ${facts.orgID}`);
  const membership = await all
    .collection('org_members')
    .getFirstListItem(all.filter('user = {:id} && org = {:org}', { id: record.id, org: org.id }));
  const make = async (collection: string, filter: string, fields: object) => {
    const [known] = await all.collection(collection).getFullList<{ id: string }>({ filter });
    return known?.id ?? (await all.collection(collection).create<{ id: string }>(fields)).id;
  };
  const user = record.id;
  const data = { activity: 'webauthnRegister', data: { login }, user_id: user, org: org.id };
  const activity = await make('gh_activities', all.filter('user_id = {:user}', { user }), data);
  const commit = { repo_id: 77, commit: 'cd'.repeat(20), pr: 1, org: org.id, activity_ids: [activity] };
  const app = { label: 'App', user_id: user, org_id: org.id, secret: 'sealed' };
  const key = {
    ...keyFields(login, user, org.id),
    label: `Real key of ${login}`,
    key_id: `real-key-of-${login}`,
  };
  const own: Record<string, string> = {
    organizations: org.id,
    org_members: membership.id,
    gh_activities: activity,
    gh_commits: await make('gh_commits', `repo_id = 77`, commit),
    webauthn: await make('webauthn', all.filter('user = {:user}', { user }), key),
    totps: await make('totps', all.filter('user_id = {:user}', { user }), app),
  };
  return { id: user, token, accessToken: meta.accessToken, org: org.id, own, membership: membership.id };
}

/** Counts the product's requests to GitHub with a matching path during `work`, and answers those that the test answers. */
async function whileGitHub(
  path: RegExp,
  answer: (() => Response) | undefined,
  work: (asked: () => number) => Promise<void>,
): Promise<void> {
  const original = globalThis.fetch;
  let asked = 0;
  globalThis.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    const isProducts = new Headers(init?.headers).get('user-agent')?.includes('probot/');
    if (!isProducts || !url.startsWith(product.github.origin) || !path.test(new URL(url).pathname))
      return original(input, init);
    asked += 1;
    return answer ? answer() : original(input, init);
  };
  await work(() => asked).finally(() => {
    globalThis.fetch = original;
  });
}

const MINUTE_MS = 60_000;
/** A failure that isn't retried, so that the test doesn't wait. */
const down = () => Response.json({ message: 'Gone wrong' }, { status: 422 });
const no = () => Response.json({ message: 'Not Found' }, { status: 404 });

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
    for (const record of await read(token, id)) {
      expect(record).toMatchObject({ email: 'mona@example.org', authenticators: expect.any(Object) });
      expect(JSON.stringify(record)).not.toMatch(/unconfirmed|tokenKey|password|"address"/);
    }
  });

  it('is returned by the sign-in too', async () => {
    const { id } = await realMember();
    await product.records.collection('gh_users').update(id, { address: 'mona@example.org' });
    const { record } = await signInAs(product, 'mona');
    expect(record).toMatchObject({ id, email: 'mona@example.org' });
    expect(record).toHaveProperty('authenticators');
    expect(record).toHaveProperty('image');
  });

  it('is 404 for everyone else, however it is requested', async () => {
    const [mona, octocat] = [await realMember(), await realMember('octocat')];
    for (const { token } of [mona, octocat])
      for (const id of [world.self.id, mona.id, octocat.id, 'aaaaaaaaaaaaaaa']) {
        const isOwn = [mona, octocat].some((one) => one.token === token && one.id === id);
        for (const query of ['', '?expand=org_members_via_user', '?fields=*', `?filter=id="${mona.id}"`]) {
          const answer = await through('GET', records('gh_users', `/${id}${query}`), token);
          const isShown = isOwn && !/fields|filter/.test(query);
          expect([id, query, answer.status]).toEqual([id, query, isShown ? 200 : 404]);
          if (!isShown) expect(answer.text).toBe("There's nothing here.");
        }
      }
  });

  it('is refused without a session', async () => {
    const { id } = await realMember();
    for (const token of [undefined, 'x', product.records.authStore.token]) {
      const get = await through('GET', records('gh_users', `/${id}`), token);
      const refresh = await through('POST', '/api/collections/gh_users/auth-refresh', token);
      expect([get.status, refresh.status]).toEqual([401, 401]);
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

  it('shows in a list of members only what fellow members may see', async () => {
    const { token } = await realMember();
    await realMember('octocat');
    const answer = await raw(product.origin, 'GET', records('org_members', '?expand=user'), { token });
    const octocat = /\{[^{}]*"username":"octocat"[^{}]*\}/.exec(answer.text)?.[0];
    expect(octocat).toContain('"github_id"');
    expect(octocat).not.toMatch(/"image"|"authenticators"|"address"|"email":/);
  });
});

describe('records that depend on memberships, through the product', () => {
  const MEMBERSHIP = /^\/orgs\/[^/]+\/memberships\/mona$/;
  let mona: Awaited<ReturnType<typeof realMember>>;

  beforeEach(async () => {
    mona = await realMember();
    // The earlier answer has expired.
    aheadMs += MINUTE_MS;
  });

  const READS = [...READABLE.map((name) => records(name)), '/api/realtime'];
  const list = (name: string) => through('GET', records(name), mona.token);

  const one = (name: string, id = mona.own[name]) => through('GET', records(name, `/${id}`), mona.token);

  it('are hidden while GitHub does not answer, and shown again when it does', async () => {
    const topics = { clientId: 'x'.repeat(40), subscriptions: ['gh_activities/*'] };
    const ask = (target: string) =>
      target === '/api/realtime'
        ? raw(product.origin, 'POST', target, { token: mona.token, body: topics })
        : through('GET', target, mona.token);
    await whileGitHub(MEMBERSHIP, down, async () => {
      for (const target of READS) {
        const { status, text } = await ask(target);
        expect([target, status, text]).toEqual([
          target,
          502,
          "GitHub didn't answer. Nothing is lost: try again.",
        ]);
      }
    });
    // The record store doesn't know this client.
    for (const target of READS)
      expect([target, (await ask(target)).status]).toEqual([target, target === '/api/realtime' ? 404 : 200]);
  });

  it('are hidden in the person’s own record too while GitHub does not answer', () =>
    whileGitHub(MEMBERSHIP, down, async () => {
      for (const [method, target] of [
        ['POST', '/api/collections/gh_users/auth-refresh'],
        ['GET', records('gh_users', `/${mona.id}`)],
      ] as const) {
        const answer = await through(method, target, mona.token);
        expect([target, answer.status]).toEqual([target, 502]);
        expect(answer.text).not.toContain(mona.id);
      }
    }));

  it('are hidden within a minute after the membership ends, even without a webhook', async () => {
    for (const name of READABLE) expect([name, itemsOf(await list(name)).length > 0]).toEqual([name, true]);
    await whileGitHub(MEMBERSHIP, no, async () => {
      expect(itemsOf(await list('organizations'))).not.toEqual([]);
      aheadMs += MINUTE_MS;
      for (const name of READABLE) {
        const answer = await list(name);
        expect([name, answer.status, itemsOf(answer)]).toEqual([name, 200, []]);
        expect([name, (await one(name)).status]).toEqual([name, 404]);
      }
    });
  });

  it('are hidden from a person whose own record stays visible', () =>
    whileGitHub(MEMBERSHIP, no, async () => expect((await one('gh_users', mona.id)).status).toBe(200)));

  it('are hidden without a session, and cost no request to GitHub', () =>
    whileGitHub(/./, undefined, async (asked) => {
      for (const token of [undefined, 'x', 'Bearer x', product.records.authStore.token.slice(0, -2)]) {
        const answer = await through('GET', records('organizations'), token);
        expect([token, itemsOf(answer)]).toEqual([token, []]);
      }
      expect(asked()).toBe(0);
    }));
});

describe('realtime', () => {
  it('sends new activities to members, and not to outsiders or former members', async () => {
    const [mona, octocat] = [await realMember(), await realMember('octocat')];
    const hubot = await signInAs(product, 'hubot');
    const activities = product.records.collection('gh_activities');
    const topics = ['gh_activities/*', 'gh_commits/*'];
    const member = await subscribe(octocat.token, topics);
    const leaver = await subscribe(mona.token, topics);
    const outsider = await subscribe(hubot.token, topics);
    const guest = await subscribe(undefined, topics);
    const tell = (label: string) =>
      activities.create({ activity: 'webauthnRegister', data: { label }, user_id: mona.id, org: mona.org });
    await tell('the-first-activity');
    for (const listener of [member, leaver])
      await until('the first activity', async () => listener.heard('the-first-activity'));
    await product.records.collection('org_members').delete(mona.membership);
    await tell('the-second-activity');
    await until('the second activity', async () => member.heard('the-second-activity'));
    // A listener's events arrive in order, so this later one shows that nothing is still on its way.
    await product.records.collection('gh_users').update(mona.id, { avatar: 'https://avatars.example/new' });
    expect([
      leaver.heard('the-second-activity'),
      outsider.heard('activity'),
      guest.heard('activity'),
    ]).toEqual([false, false, false]);
    for (const listener of [member, leaver, outsider, guest]) listener.close();
  });

  it('sends nobody another person’s authenticators, and only public fields of a person', async () => {
    const [mona, hubot] = [await realMember(), await signInAs(product, 'hubot')];
    const octocat = await realMember('octocat');
    const topics = ['webauthn/*', 'totps/*', 'gh_users/*', 'organizations/*', 'notices/*', 'email_codes/*'];
    // The product refuses some of these topics; the record store's own rules have to hold without it.
    const listener = await subscribe(mona.token, topics, product.store.url);
    const stranger = await subscribe(hubot.token, topics, product.store.url);
    const own = await subscribe(octocat.token, topics, product.store.url);
    const update = (name: string, id: string, fields: object) =>
      product.records.collection(name).update(id, fields);
    await update('webauthn', octocat.own.webauthn ?? '', { last_used: new Date() });
    await update('gh_users', octocat.id, {
      avatar: 'https://avatars.example/newer',
      image: { name: 'image-of-octocat' },
      address: 'address-of-octocat@example.org',
      authenticators: { 1: 'map-of-octocat' },
    });
    await update('organizations', mona.org, { html_url: 'https://github.com/octo-org-changed' });
    for (const one of [listener, own])
      await until('the organization’s own event', async () => one.heard('octo-org-changed'));
    await until('the owner’s own event', async () => own.heard('Real key of octocat'));
    expect(listener.received()).not.toContain('Real key of octocat');
    expect(listener.received()).toContain('avatars.example/newer');
    for (const one of [listener, own, stranger]) expect(one.received()).not.toMatch(SECRETS);
    // Octocat is a member of the stranger’s organization too.
    expect(stranger.received()).not.toMatch(/Real key of octocat|octo-org-changed/);
    await update('organizations', mona.org, { html_url: 'https://github.com/octo-org' });
    for (const one of [listener, own, stranger]) one.close();
  });

  it('sends only what a subscription’s query asks for, with the person expanded', async () => {
    const mona = await realMember();
    const filter = `org = "${mona.org}" && data.login = "the-one"`;
    const options = encodeURIComponent(JSON.stringify({ query: { filter, expand: 'user_id' } }));
    const listener = await subscribe(mona.token, ['PB_CONNECT', `gh_activities/*?options=${options}`]);
    for (const login of ['another', 'the-one'])
      await product.records
        .collection('gh_activities')
        .create({ activity: 'totpCollect', data: { login }, user_id: mona.id, org: mona.org });
    await until('the activity', async () => listener.heard('"login":"the-one"'));
    expect(listener.received()).toContain('"username":"mona"');
    expect(listener.received()).not.toContain('"login":"another"');
    listener.close();
  });

  it('opens at most two hundred streams per address, not counting those that have ended', async () => {
    const from = { 'x-forwarded-for': '198.51.100.7' };
    const open = (ending: AbortController) =>
      fetch(`${product.origin}/api/realtime`, { headers: from, signal: ending.signal });
    const ending = new AbortController();
    const opened = await Promise.all(Array.from({ length: 200 }, () => open(ending)));
    const counts = opened.filter(({ status }) => status === 200).length;
    const { status, text } = await raw(product.origin, 'GET', '/api/realtime', { headers: from });
    ending.abort();
    expect([counts, status, text]).toEqual([200, 429, 'Too many requests. Wait a moment, then try again.']);
    await until('a free stream', async () => {
      const again = new AbortController();
      const answer = await open(again);
      again.abort();
      return answer.status === 200;
    });
  });
});

/** Opens a realtime stream through the product, like a browser, or at the record store itself. */
async function subscribe(token: string | undefined, topics: string[], origin = product.origin) {
  // The record store binds a listener to its address.
  const listener = await listen({ origin }, { 'x-forwarded-for': '192.0.2.1' });
  expect(await listener.subscribe({ ...(token !== undefined && { token }) }, topics)).toBe(204);
  return { ...listener, heard: (text: string) => listener.received().includes(text) };
}

describe('migrating the record store', () => {
  const client = (store: { url: string; email: string; password: string }) => createStoreClient(store);
  const bring = (store: { url: string; email: string; password: string }, options = {}) =>
    migrate(client(store), product.config, product.config.github, options);

  const withStore = async (work: (store: Awaited<ReturnType<typeof startEmptyStore>>) => Promise<void>) => {
    const store = await startEmptyStore();
    await work(store).finally(store.stop);
  };

  /** The collections in the record store, without their timestamps. */
  async function schemaOf(superuser: PocketBase): Promise<string> {
    const all = await superuser.collections.getFullList({ sort: 'name' });
    return JSON.stringify(all, (key, value) => {
      // Each import of a view creates its fields again, with new ids.
      const isPassing = ['updated', 'created'].includes(key) || (key === 'id' && /^_clone_/.test(value));
      return isPassing ? undefined : value;
    });
  }

  /** Today's collections under their names in schema 2. The record store derives a field's id from its first name. */
  function collectionsOfSchema2(): object[] {
    const formerNames = {
      one_time_keys: 'spent',
      first_authenticators: 'enrolled',
      reconcile_reports: 'sweeps',
    };
    let text = JSON.stringify(collections(product.config.github));
    for (const [name, formerName] of Object.entries(formerNames)) text = text.replaceAll(name, formerName);
    const all = JSON.parse(text) as Collection[];
    const failures = all.find(({ name }) => name === 'code_failures') as Collection & { indexes: string[] };
    failures.fields = failures.fields.map((field) =>
      field.name === 'attempt' ? { ...field, name: 'place', id: undefined } : field,
    );
    failures.indexes = failures.indexes.map((index) => index.replace('attempt', 'place'));
    // Before approvals could be withdrawn.
    const approvals = all.find(({ name }) => name === 'approvals') as Collection & { indexes: string[] };
    const added = ['authenticator', 'withdrawn', 'withdrawal_unreported'];
    approvals.fields = approvals.fields.filter(({ name }) => !added.includes(name));
    approvals.indexes = [
      'CREATE UNIQUE INDEX `idx_approvals_0` ON `approvals` (repo_id, pr, base, head, user_id)',
    ];
    return all;
  }

  // Twice, because a conflict between them depends on a few milliseconds.
  it.each([1, 2])('has the same result for four clients at the same time, and again later (round %d)', () =>
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

  it('keeps every record', async () => {
    const before = await snapshot();
    await bring(product.store);
    expect(await snapshot()).toBe(before);
  });

  it('upgrades schema 1: drops the memberships, which GitHub lists, and keeps everything else', () =>
    withStore(async (store) => {
      await bring(store);
      const versions = store.records.collection('schema_versions');
      for (const { id } of await versions.getFullList()) await versions.delete(id);
      await versions.create({ version: 1 });
      const org = await store.records.collection('organizations').create({ org_id: 1, name: 'ours' });
      await store.records.collection('org_members').create({ org: org.id, role: 'admin' });
      await bring(store, { sealRecords: true });
      const left = async (name: string) => (await store.records.collection(name).getFullList()).length;
      expect([await left('org_members'), await left('organizations')]).toEqual([0, 1]);
      await store.records.collection('org_members').create({ org: org.id, github_id: 1, role: 'admin' });
      await bring(store);
      expect(await left('org_members')).toBe(1);
    }));

  it('upgrades schema 2: keeps the records of every collection and field that got a new name', () =>
    withStore(async (store) => {
      await store.records.collections.import(collectionsOfSchema2() as never, false);
      const create = async (name: string, fields: object) =>
        (await store.records.collection(name).create(fields)).id;
      const org = await create('organizations', { org_id: 1, name: 'ours' });
      const password = 'password-of-mona';
      const user = await create('gh_users', { github_id: 1, password, passwordConfirm: password });
      const ids = {
        one_time_keys: await create('spent', { key: 'used' }),
        first_authenticators: await create('enrolled', { key: 'first' }),
        reconcile_reports: await create('sweeps', { report: { took: 5 } }),
        code_failures: await create('code_failures', { user, org, place: 3 }),
      };
      const approval = { repo_id: 7, pr: 7, base: 'main', head: 'ab', user_id: 101 };
      const approvalId = await create('approvals', approval);
      await bring(store);
      const upgraded = async (name: keyof typeof ids) => store.records.collection(name).getOne(ids[name]);
      expect(await upgraded('one_time_keys')).toMatchObject({ key: 'used' });
      expect(await upgraded('first_authenticators')).toMatchObject({ key: 'first' });
      expect(await upgraded('reconcile_reports')).toMatchObject({ report: { took: 5 } });
      expect(await upgraded('code_failures')).toMatchObject({ user, org, attempt: 3 });
      // An earlier approval counts, once, and can be given again only after it is withdrawn.
      expect(await store.records.collection('approvals').getOne(approvalId)).toMatchObject({ withdrawn: '' });
      await expect(create('approvals', approval)).rejects.toMatchObject({ status: 400 });
      await store.records.collection('approvals').update(approvalId, { withdrawn: 'today' });
      await create('approvals', approval);
    }));

  it('refuses a store that is newer than this code, and changes nothing', () =>
    withStore(async (store) => {
      await bring(store);
      await store.records.collection('schema_versions').create({ version: SCHEMA_VERSION + 1 });
      await store.records.collections.update('webauthn', { listRule: '@request.auth.id = "newer"' });
      const before = await schemaOf(store.records);
      await expect(bring(store)).rejects.toThrow(
        `it has schema ${SCHEMA_VERSION + 1}, and this version of OTP Guard only knows schemas up to ${SCHEMA_VERSION}. Start a newer version.`,
      );
      expect(await schemaOf(store.records)).toBe(before);
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

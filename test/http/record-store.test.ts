import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pMap from 'p-map';
import type PocketBase from 'pocketbase';
import { createStoreClient } from '../../src/pocketbase/client.ts';
import type { Collection } from '../../src/pocketbase/schema/fields.ts';
import { migrate } from '../../src/pocketbase/schema/migrate.ts';
import { collections, SCHEMA_VERSION } from '../../src/pocketbase/schema/schema.ts';
import { until } from '../support/product.ts';
import {
  type ProductOverStore,
  type RawAnswer,
  raw,
  signInAs,
  startEmptyStore,
  startProductOverStore,
} from '../support/product-over-store.ts';

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

const READABLE = ['webauthn', 'totps', 'gh_activities', 'gh_commits', 'organizations', 'org_members'];
/** The collections from which the product deletes records, after a step-up. */
const GUARDED = ['webauthn', 'totps'];
const SERVER_ONLY = [
  'member_standings',
  'open_pulls',
  'email_codes',
  'notices',
  'approvals',
  'challenges',
  'one_time_keys',
  'totp_steps',
  'code_failures',
  'first_authenticators',
  'check_runs',
  'webhook_deliveries',
  'schema_versions',
  '_superusers',
  '_externalAuths',
  '_mfas',
  '_otps',
  '_authOrigins',
];
const EVERY = ['gh_users', ...READABLE, ...SERVER_ONLY];

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
  const self = await person('self');
  const same = await person('same');
  const owner = await person('owner');
  const other = await person('other');
  const both = await person('both');
  const ex = await person('ex');
  const organization = (orgId: number, name: string) =>
    create('organizations', {
      org_id: orgId,
      name,
      account_type: 'Organization',
      installation_id: orgId,
      suspended: false,
    });
  const [org, otherOrg] = [await organization(9001, 'ours'), await organization(9002, 'theirs')];
  const join = ({ id, githubId: github_id, login }: typeof self, organization: string, role: string) =>
    create('org_members', { user: id, github_id, login, org: organization, role });
  const membership = await join(self, org, 'member');
  await join(same, org, 'member');
  await join(owner, org, 'admin');
  await join(both, org, 'member');
  await join(both, otherOrg, 'admin');
  await join(other, otherOrg, 'admin');
  await records.collection('org_members').delete(await join(ex, org, 'admin'));
  const keyOf = ({ id, login }: typeof self, organization: string) =>
    create('webauthn', {
      type: 'passkey',
      label: `Label of ${login}`,
      key_id: `key-of-${login}`,
      user: id,
      org: organization,
      public_key: 'public-key-of-self',
      counter: 4242,
      transports: ['transport-of-self'],
    });
  const appOf = ({ id, login }: typeof self, organization: string) =>
    create('totps', { label: `Label of ${login}`, user_id: id, org_id: organization, secret: 'sealed' });
  const [webauthn, totp] = [await keyOf(self, org), await appOf(self, org)];
  const others = {
    webauthn: { other: await keyOf(other, otherOrg), ex: await keyOf(ex, org) },
    totps: { other: await appOf(other, otherOrg), ex: await appOf(ex, org) },
  };
  const activity = await create('gh_activities', {
    activity: 'webauthnCollect',
    data: { user: 'self' },
    user_id: self.id,
    org,
  });
  const commit = await create('gh_commits', {
    repo_id: 7,
    commit: 'ab'.repeat(20),
    pr: 7,
    org,
    activity_ids: [activity],
  });
  const own: Record<string, string> = {
    gh_users: self.id,
    organizations: org,
    org_members: membership,
    webauthn,
    totps: totp,
    gh_activities: activity,
    gh_commits: commit,
    // A view over the memberships, with their ids.
    member_standings: membership,
    open_pulls: await create('open_pulls', { org, repo_id: 7, repo_name: 'hello', pr: 7, title: 'Waits' }),
    email_codes: await create('email_codes', { sig: 'sig', user: self.id, email: 'code@example.org' }),
    notices: await create('notices', {
      kind: 'codesLocked',
      user: self.id,
      to: 'to@example.org',
      due: '2999-01-01 00:00:00.000Z',
    }),
    approvals: await create('approvals', {
      repo_id: 7,
      pr: 7,
      head: 'ab',
      user_id: 101,
      public_key: 'proof',
    }),
    challenges: await create('challenges', { challenge: 'challenge', purpose: 'approve', user: self.id }),
    one_time_keys: await create('one_time_keys', { key: 'used' }),
    totp_steps: await create('totp_steps', { totp, step: 1 }),
    code_failures: await create('code_failures', { user: self.id, org, attempt: 1 }),
    first_authenticators: await create('first_authenticators', { key: 'self' }),
    check_runs: await create('check_runs', { repo_id: 7, head: 'ab', attempt: 1 }),
    webhook_deliveries: await create('webhook_deliveries', { guid: 'guid', event: 'pull_request' }),
    _externalAuths: await create('_externalAuths', {
      collectionRef: 'pbc_gh_users',
      recordRef: self.id,
      provider: 'github',
      providerId: '101',
    }),
    _superusers: records.authStore.record?.id ?? '',
  };
  const people = { self, same, owner, other, both, ex };
  const actors = {
    guest: undefined,
    ...(Object.fromEntries(Object.entries(people).map(([name, { token }]) => [name, token])) as Record<
      keyof typeof people,
      string
    >),
  };
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
    // The record store writes the origins of its superuser's sign-ins to `_authOrigins`, and each client signs in.
    EVERY.filter((name) => name !== '_authOrigins').map((name) =>
      product.records.collection(name).getFullList({ sort: 'id' }),
    ),
  );
  return JSON.stringify(all);
}

const direct = (
  method: string,
  target: string,
  actor: Actor,
  options: { body?: unknown; headers?: Record<string, string> } = {},
) => raw(product.store.url, method, target, { token: world.actors[actor], ...options });

const records = (name: string, rest = '') => `/api/collections/${name}/records${rest}`;
const itemsOf = ({ text }: RawAnswer) => (JSON.parse(text) as { items?: { id: string }[] }).items ?? [];

/** The routes of the record store's own API that are not for users. */
const FORBIDDEN: [method: string, target: string][] = [
  ['GET', '/api/settings'],
  ['PATCH', '/api/settings'],
  ['POST', '/api/settings/test/s3'],
  ['POST', '/api/settings/test/email'],
  ['POST', '/api/settings/apple/generate-client-secret'],
  ['GET', '/api/logs'],
  ['GET', '/api/logs/stats'],
  ['GET', '/api/logs/aaaaaaaaaaaaaaa'],
  ['GET', '/api/backups'],
  ['POST', '/api/backups'],
  ['POST', '/api/backups/upload'],
  ['GET', '/api/backups/a.zip'],
  ['DELETE', '/api/backups/a.zip'],
  ['POST', '/api/backups/a.zip/restore'],
  ['GET', '/api/crons'],
  ['POST', '/api/crons/a'],
  ['POST', '/api/batch'],
  ['POST', '/api/files/token'],
  ['GET', '/api/files/webauthn/aaaaaaaaaaaaaaa/a.png'],
  ['GET', '/api/oauth2-redirect'],
  ['POST', '/api/oauth2-redirect'],
  ['GET', '/api/collections'],
  ['POST', '/api/collections'],
  ['PUT', '/api/collections/import'],
  ['GET', '/api/collections/meta/scaffolds'],
  ['GET', '/api/collections/meta/oauth2-providers'],
  ['GET', '/api/collections/webauthn'],
  ['PATCH', '/api/collections/webauthn'],
  ['DELETE', '/api/collections/webauthn'],
  ['DELETE', '/api/collections/webauthn/truncate'],
  ...['_superusers', 'gh_users'].flatMap((name): [string, string][] => [
    ['POST', `/api/collections/${name}/auth-with-password`],
    ['POST', `/api/collections/${name}/auth-with-otp`],
    ['POST', `/api/collections/${name}/request-otp`],
    ['POST', `/api/collections/${name}/request-password-reset`],
    ['POST', `/api/collections/${name}/confirm-password-reset`],
    ['POST', `/api/collections/${name}/request-verification`],
    ['POST', `/api/collections/${name}/confirm-verification`],
    ['POST', `/api/collections/${name}/request-email-change`],
    ['POST', `/api/collections/${name}/confirm-email-change`],
    ['POST', `/api/collections/${name}/impersonate/aaaaaaaaaaaaaaa`],
    ['GET', records(name)],
    ['POST', records(name)],
    ['PUT', records(name)],
  ]),
  ['POST', '/api/collections/_superusers/auth-refresh'],
  ['GET', '/api/collections/_superusers/auth-methods'],
  ['POST', '/api/collections/_superusers/auth-with-oauth2'],
  ['POST', '/api/collections/gh_users/auth-methods'],
  ['GET', '/api/collections/gh_users/auth-refresh'],
  ['GET', records('gh_users', '/aaaaaaaaaaaaaaa/external-auths')],
  ['DELETE', records('gh_users', '/aaaaaaaaaaaaaaa/external-auths/github')],
  ['PATCH', records('gh_users', '/aaaaaaaaaaaaaaa')],
  ['DELETE', records('gh_users', '/aaaaaaaaaaaaaaa')],
  ...SERVER_ONLY.flatMap((name): [string, string][] => [
    ['GET', records(name)],
    ['GET', records(name, '/aaaaaaaaaaaaaaa')],
    ['DELETE', records(name, '/aaaaaaaaaaaaaaa')],
  ]),
  ...READABLE.flatMap((name): [string, string][] => [
    ['POST', records(name)],
    ['PUT', records(name)],
    ['PATCH', records(name, '/aaaaaaaaaaaaaaa')],
    ['PUT', records(name, '/aaaaaaaaaaaaaaa')],
    // Deleting an authenticator is one of the product's own calls.
    ...(GUARDED.includes(name) ? [] : [['DELETE', records(name, '/aaaaaaaaaaaaaaa')] as [string, string]]),
  ]),
  ['DELETE', '/api/realtime'],
  ['PATCH', '/api/health'],
  ['HEAD', '/api/collections'],
  ['OPTIONS', '/api/collections'],
  ['TRACE', '/api/collections'],
  ['GET', '/api'],
  ['GET', '/api/'],
  ['GET', '/api/unknown'],
];

/** One route of each kind that another spelling could open. */
const SAMPLE: typeof FORBIDDEN = [
  ['GET', '/api/settings'],
  ['GET', '/api/logs'],
  ['GET', '/api/backups'],
  ['POST', '/api/batch'],
  ['GET', '/api/collections'],
  ['GET', '/api/collections/webauthn'],
  ['GET', records('_superusers')],
  ['POST', '/api/collections/gh_users/impersonate/aaaaaaaaaaaaaaa'],
  ['POST', '/api/collections/_superusers/auth-refresh'],
  ['GET', records('approvals')],
  ['DELETE', records('challenges', '/aaaaaaaaaaaaaaa')],
  ['POST', records('webauthn')],
  ['PATCH', records('org_members', '/aaaaaaaaaaaaaaa')],
];

/** Spellings that some servers take for the same path. */
const SPELLINGS: [name: string, spell: (target: string) => string][] = [
  ['with a slash at the end', (target) => `${target}/`],
  ['with a query', (target) => `${target}?x=1`],
  ['with a parameter', (target) => `${target};x=1`],
  ['with a double slash', (target) => target.replace('/api', '/api/')],
  ['with a dot', (target) => target.replace('/api', '/api/.')],
  ['by way of its parent', (target) => target.replace('/api', '/api/health/..')],
  [
    'by way of a readable collection',
    (target) => target.replace('/api', '/api/collections/webauthn/records/../../..'),
  ],
  ['by way of an encoded parent', (target) => target.replace('/api', '/api/health/%2e%2e')],
  ['with an encoded slash', (target) => target.replace('/api/', '/api%2f')],
  ['with slashes encoded behind an allowed path', (target) => `/api/health%2f..%2f${target.slice(5)}`],
  [
    'with an encoded letter',
    (target) => target.replace(/\/api\/(.)/, (_all, letter: string) => `/api/${hex(letter)}`),
  ],
  [
    'encoded twice',
    (target) => target.replace(/\/api\/(.)/, (_all, letter: string) => `/api/%25${hex(letter).slice(1)}`),
  ],
  [
    'in capitals',
    (target) => target.replace(/\/api\/(.*)/, (_all, rest: string) => `/api/${rest.toUpperCase()}`),
  ],
  ['with backslashes', (target) => target.replace('/api/', '/api\\')],
  ['with a NUL', (target) => `${target}%00`],
  ['with a fragment', (target) => `${target}#/api/health`],
  ['with an allowed path as its query', (target) => `${target}?/api/health`],
];

const hex = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;

describe('the record store’s own API, through the product', () => {
  /** A path that isn't recognized as the API's is a page of the dashboard. */
  const isNothing = async (page: RawAnswer, method: string, target: string, token: string | undefined) => {
    const answer = await raw(product.origin, method, target, { token });
    return answer.status === 404
      ? !answer.text.includes('{')
      : [page.text, ''].includes(answer.text) && answer.type === page.type;
  };

  it('has no route outside the allow-list, for a guest, a user or the superuser', async () => {
    const tokens = [undefined, world.actors.self, product.records.authStore.token];
    const page = await raw(product.origin, 'GET', '/');
    const wrong = await wrongOnes(pairs(FORBIDDEN, tokens), ([[method, target], token]) =>
      isNothing(page, method, target, token),
    );
    expect(wrong).toEqual([]);
  });

  it('has no route outside the allow-list under another spelling, not even for the superuser', async () => {
    const page = await raw(product.origin, 'GET', '/');
    const wrong = await wrongOnes(pairs(SAMPLE, SPELLINGS), ([[method, target], [, spell]]) =>
      isNothing(page, method, spell(target), product.records.authStore.token),
    );
    expect(wrong).toEqual([]);
  });

  it('does not serve the record store’s own dashboard', async () => {
    for (const target of ['/_/', '/_', '/_/index.html', '/_/#/login', '/_/?x=1'])
      expect([target, (await raw(product.origin, 'GET', target)).status]).toEqual([target, 404]);
  });

  it('is not reachable through an unusual path', async () => {
    for (const target of [
      '//api/settings',
      '/./api/settings',
      '/x/../api/settings',
      '/%61pi/settings',
      '/\\api/settings',
    ]) {
      const answer = await raw(product.origin, 'GET', target, { token: product.records.authStore.token });
      expect([target, [200, 404].includes(answer.status), answer.type.includes('json')]).toEqual([
        target,
        true,
        false,
      ]);
    }
  });

  it('answers every route of the allow-list', async () => {
    const { own, ...self } = await realMember();
    const ask = async (method: string, target: string, options: { token?: string; body?: unknown } = {}) =>
      (await raw(product.origin, method, target, options)).status;
    const { token } = self;
    expect(await ask('GET', '/api/health')).toBe(200);
    expect(await ask('GET', '/api/collections/gh_users/auth-methods')).toBe(200);
    expect(await ask('POST', '/api/collections/gh_users/auth-refresh', { token })).toBe(200);
    expect(await ask('GET', records('gh_users', `/${self.id}`), { token })).toBe(200);
    for (const name of READABLE) {
      expect([name, await ask('GET', records(name), { token })]).toEqual([name, 200]);
      expect([name, await ask('GET', records(name, `/${own[name]}`), { token })]).toEqual([name, 200]);
      expect([name, await ask('GET', records(name, `/${own[name]}`))]).toEqual([name, 404]);
    }
  });

  it('returns pages of at most fifty records', async () => {
    const { token } = await realMember();
    for (const perPage of ['500', '-1', '1e9', 'x', '']) {
      const answer = await raw(product.origin, 'GET', records('webauthn', `?perPage=${perPage}`), {
        token,
      });
      expect([perPage, (JSON.parse(answer.text) as { perPage: number }).perPage]).toEqual([perPage, 50]);
    }
    const twice = await raw(product.origin, 'GET', records('webauthn', '?perPage=5&perPage=500'), {
      token,
    });
    expect((JSON.parse(twice.text) as { perPage: number }).perPage).toBeLessThanOrEqual(50);
    const long = await raw(product.origin, 'GET', records('webauthn', `?filter=${'x'.repeat(5000)}`), {
      token,
    });
    expect(long.status).toBe(404);
  });

  it('allows no other origin', async () => {
    const answer = await fetch(`${product.origin}/api/health`, {
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
  });
});

/** Requests that would write a record, each with the status that the record store refuses it with. */
const BODY = {
  label: 'mine',
  role: 'admin',
  'role+': 'x',
  user: '',
  emailVisibility: true,
  tokenKey: 'x'.repeat(50),
};

describe('a user’s write to the record store', () => {
  it('changes nothing in any collection, through the product or directly', async () => {
    const before = await snapshot();
    const body = { ...BODY, user: world.same.id };
    const writes = EVERY.flatMap((name) => {
      const id = world.own[name] ?? 'aaaaaaaaaaaaaaa';
      return [
        { name, method: 'POST', target: records(name), body },
        { name, method: 'POST', target: records(name), body: { ...body, id: 'bbbbbbbbbbbbbbb' } },
        { name, method: 'PUT', target: records(name), body: { ...body, id } },
        { name, method: 'PATCH', target: records(name, `/${id}`), body },
        { name, method: 'PUT', target: records(name, `/${id}`), body },
        { name, method: 'DELETE', target: records(name, `/${id}`), body: undefined },
      ];
    });
    const through: Actor[] = ['guest', 'self', 'owner'];
    const passedThrough = await wrongOnes(
      pairs(writes, through),
      async ([{ name, method, target, body: sent }, actor]) => {
        const { status } = await raw(product.origin, method, target, {
          token: world.actors[actor],
          body: sent,
        });
        return status === (method === 'DELETE' && GUARDED.includes(name) ? 401 : 404);
      },
    );
    expect(passedThrough).toEqual([]);
    // The rules of the record store's own tables can't be changed, and they let a user unlink their account.
    // That route isn't reachable through the product, and the next sign-in links the account again.
    const past = writes.filter(({ name }) => !name.startsWith('_'));
    const passed = await wrongOnes(pairs(past, ACTORS), async ([{ method, target, body: sent }, actor]) => {
      const answer = await direct(method, target, actor, { body: sent });
      return answer.status >= 400;
    });
    expect(passed).toEqual([]);
    expect(await snapshot()).toBe(before);
  });

  it('changes nothing under another spelling of the path', async () => {
    const before = await snapshot();
    const id = world.own.webauthn ?? '';
    for (const target of [
      `/api/collections/webauthn/records/${id}`,
      `/api/collections/pbc_webauthn/records/${id}`,
      `/api/collections/WEBAUTHN/records/${id}`,
      `/api/collections/%77ebauthn/records/${id}`,
      `/api/collections/webauthn/records/${id}?x=1`,
      `/api/collections/webauthn/records/${id}/`,
      `/api//collections/webauthn/records/${id}`,
      `/api/./collections/webauthn/records/${id}`,
      `/api/collections/x/../webauthn/records/${id}`,
      `/api/collections/webauthn/records/%${id.charCodeAt(0).toString(16)}${id.slice(1)}`,
      `/api/collections/webauthn/records/${id};x`,
    ]) {
      for (const method of ['DELETE', 'PATCH', 'PUT']) {
        expect([target, (await direct(method, target, 'self', { body: BODY })).status >= 300]).toEqual([
          target,
          true,
        ]);
        const answer = await raw(product.origin, method, target, { token: world.actors.self, body: BODY });
        const isCall = method === 'DELETE' && target.split('?')[0] === records('webauthn', `/${id}`);
        expect([target, answer.status]).toEqual([target, isCall ? 401 : 404]);
      }
    }
    expect(await snapshot()).toBe(before);
  });

  it('changes nothing as a batch', async () => {
    const before = await snapshot();
    for (const request of [
      { method: 'DELETE', url: records('webauthn', `/${world.own.webauthn}`) },
      {
        method: 'POST',
        url: records('org_members'),
        body: { user: world.other.id, org: world.org, role: 'admin' },
      },
      { method: 'PUT', url: records('webauthn'), body: { id: world.own.webauthn, label: 'x' } },
      { method: 'PATCH', url: records('gh_users', `/${world.self.id}`), body: BODY },
    ]) {
      for (const actor of ACTORS) {
        const body = { requests: [request] };
        expect((await direct('POST', '/api/batch', actor, { body })).status).toBeGreaterThanOrEqual(400);
      }
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

/** Every way from one collection to another, along a relation or back. */
const EXPANSIONS: [collection: string, expand: string, target: string][] = [
  ['gh_users', 'org_members_via_user', 'org_members'],
  ['gh_users', 'webauthn_via_user', 'webauthn'],
  ['gh_users', 'totps_via_user_id', 'totps'],
  ['gh_users', 'gh_activities_via_user_id', 'gh_activities'],
  ['gh_users', 'challenges_via_user', 'challenges'],
  ['gh_users', 'email_codes_via_user', 'email_codes'],
  ['gh_users', 'notices_via_user', 'notices'],
  ['gh_users', 'code_failures_via_user', 'code_failures'],
  ['organizations', 'open_pulls_via_org', 'open_pulls'],
  ['organizations', 'member_standings_via_org', 'member_standings'],
  ['organizations', 'code_failures_via_org', 'code_failures'],
  ['organizations', 'org_members_via_org', 'org_members'],
  ['organizations', 'webauthn_via_org', 'webauthn'],
  ['organizations', 'totps_via_org_id', 'totps'],
  ['organizations', 'gh_activities_via_org', 'gh_activities'],
  ['organizations', 'gh_commits_via_org', 'gh_commits'],
  ['org_members', 'user', 'gh_users'],
  ['org_members', 'org', 'organizations'],
  ['webauthn', 'user', 'gh_users'],
  ['webauthn', 'org', 'organizations'],
  ['totps', 'user_id', 'gh_users'],
  ['totps', 'org_id', 'organizations'],
  ['gh_activities', 'user_id', 'gh_users'],
  ['gh_activities', 'org', 'organizations'],
  ['gh_commits', 'activity_ids', 'gh_activities'],
  ['gh_commits', 'org', 'organizations'],
];

describe('expand', () => {
  it('shows only what the person may see', async () => {
    const wrong = await wrongOnes(pairs(EXPANSIONS, ACTORS), async ([[name, expand, target], actor]) => {
      const answer = await direct('GET', records(name, `/${world.own[name]}?expand=${expand}`), actor);
      const canSee = [name, target].every((one) => (VISIBLE[one] ?? []).includes(actor));
      const { expand: shown } = JSON.parse(answer.text) as { expand?: object };
      const isShown = JSON.stringify(shown ?? '').includes(`"id":"${world.own[target]}"`);
      return isShown === canSee && !SECRETS.test(answer.text);
    });
    expect(wrong).toEqual([]);
  });
});

/** Fields that nobody may see: the collection to ask, and the path from there. */
const HIDDEN: [collection: string, field: string, value: string][] = [
  ['webauthn', 'public_key', '"public-key-of-self"'],
  ['webauthn', 'counter', '4242'],
  ['webauthn', 'transports', '"transport-of-self"'],
  ['totps', 'secret', '"sealed"'],
  ['gh_users', 'image', '"image-of-self"'],
  ['gh_users', 'image.name', '"image-of-self"'],
  ['gh_users', 'authenticators', '"map-of-self"'],
  ['gh_users', 'address', '"address-of-self@example.org"'],
  ['org_members', 'user.image', '"image-of-self"'],
  ['org_members', 'user.authenticators', '"map-of-self"'],
  ['org_members', 'user.address', '"address-of-self@example.org"'],
  ['webauthn', 'user.address', '"address-of-self@example.org"'],
  ['totps', 'user_id.address', '"address-of-self@example.org"'],
  ['gh_activities', 'user_id.image', '"image-of-self"'],
  ['gh_activities', 'user_id.authenticators', '"map-of-self"'],
  ['organizations', 'org_members_via_org.user.address', '"address-of-self@example.org"'],
  ['organizations', 'open_pulls_via_org.title', '"Waits"'],
  ['organizations', 'member_standings_via_org.enrolled', '1'],
  ['gh_users', 'email_codes_via_user.email', '"code@example.org"'],
  ['gh_users', 'notices_via_user.to', '"to@example.org"'],
  ['gh_users', 'tokenKey', '"x"'],
  ['gh_users', 'password', '"x"'],
  ['org_members', 'user.tokenKey', '"x"'],
  ['gh_users', 'webauthn_via_user.public_key', '"public-key-of-self"'],
  ['organizations', 'webauthn_via_org.public_key', '"public-key-of-self"'],
  ['organizations', 'webauthn_via_org.counter', '4242'],
  ['organizations', 'totps_via_org_id.secret', '"sealed"'],
  ['gh_users', 'challenges_via_user.challenge', '"challenge"'],
];

describe('a hidden field', () => {
  it('cannot be used to filter or sort', async () => {
    const queriesOf = (field: string, value: string) => [
      `filter=${field}=${value}`,
      `filter=${field}!=${value}`,
      `filter=${field}~"a"||id!=""`,
      `filter=${field}>0`,
      `sort=${field}`,
      `sort=-${field}`,
    ];
    const asked = HIDDEN.flatMap(([name, field, value]) => pairs([name], queriesOf(field, value)));
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
const ORACLES: [collection: string, yes: string, no: string][] = [
  [
    'organizations',
    'webauthn_via_org.label ?= "Label of self"',
    'webauthn_via_org.label ?= "Label of nobody"',
  ],
  ['organizations', 'webauthn_via_org.key_id ?~ "key-of-self"', 'webauthn_via_org.key_id ?~ "key-of-nobody"'],
  [
    'organizations',
    'totps_via_org_id.label ?= "Label of self"',
    'totps_via_org_id.label ?= "Label of nobody"',
  ],
  ['gh_users', 'webauthn_via_user.label ?= "Label of self"', 'webauthn_via_user.label ?= "Label of nobody"'],
  ['gh_users', 'totps_via_user_id.label ?= "Label of self"', 'totps_via_user_id.label ?= "Label of nobody"'],
  [
    'org_members',
    'user.webauthn_via_user.label ?= "Label of self"',
    'user.webauthn_via_user.label ?= "Label of nobody"',
  ],
  [
    'gh_activities',
    'user_id.webauthn_via_user.label ?= "Label of self"',
    'user_id.webauthn_via_user.label ?= "Label of nobody"',
  ],
  ['gh_users', 'email ~ "101@"', 'email ~ "999@"'],
  ['org_members', 'user.email ~ "101@"', 'user.email ~ "999@"'],
  ['organizations', 'org_members_via_org.user.email ?~ "101@"', 'org_members_via_org.user.email ?~ "999@"'],
  ['gh_activities', 'user_id.email ?~ "101@"', 'user_id.email ?~ "999@"'],
  ['gh_activities', 'user_id.address ?~ "address-of-self"', 'user_id.address ?~ "address-of-nobody"'],
  ['gh_users', 'image ~ "image-of-self"', 'image ~ "image-of-nobody"'],
  ['gh_activities', '@collection.webauthn.label ?= "Label of self"', '@collection.webauthn.label ?= "x"'],
  ['gh_activities', '@collection.approvals.public_key ?= "proof"', '@collection.approvals.public_key ?= "x"'],
];

describe('a filter', () => {
  it('reveals nothing to a member about another member of the organization', async () => {
    const ask = async (name: string, filter: string, token: string) => {
      const target = records(name, `?filter=${encodeURIComponent(filter)}`);
      const answer = await raw(product.store.url, 'GET', target, { token });
      return `${answer.status} ${answer.status === 200 ? itemsOf(answer).length : 0}`;
    };
    const tells = async ([name, yes, no]: (typeof ORACLES)[number], token: string) =>
      (await ask(name, yes, token)) !== (await ask(name, no, token));
    // If the answers differ, the filter reveals something. It does for the superuser, and must not for a member.
    const superuser = product.records.authStore.token;
    expect(await wrongOnes(ORACLES, (oracle) => tells(oracle, superuser))).toEqual([]);
    expect(await wrongOnes(ORACLES, async (oracle) => !(await tells(oracle, world.actors.same)))).toEqual([]);
  });
});

/** Who sees other people's records, and in which organization. */
describe('another person’s authenticator', () => {
  const sees = async (actor: Actor, name: 'webauthn' | 'totps', id: string) =>
    (await direct('GET', records(name, `/${id}`), actor)).status === 200;

  const seenBy = async (name: 'webauthn' | 'totps', id: string) => {
    const shown: Actor[] = [];
    for (const actor of ACTORS) if (await sees(actor, name, id)) shown.push(actor);
    return shown;
  };

  it('is shown only to the owners of its organization', async () => {
    for (const name of ['webauthn', 'totps'] as const)
      expect([name, await seenBy(name, world.others[name].other)]).toEqual([name, ['other', 'both']]);
  });

  it('is no longer shown to a former member, but still to an owner, who may remove it', async () => {
    for (const name of ['webauthn', 'totps'] as const)
      expect([name, await seenBy(name, world.others[name].ex)]).toEqual([name, ['owner']]);
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
const PUBLIC_OF_A_PERSON = [
  'avatar',
  'collectionId',
  'collectionName',
  'created',
  'emailVisibility',
  'github_id',
  'id',
  'updated',
  'username',
  'verified',
];

describe('a fellow member', () => {
  it('has no private field in any answer', async () => {
    const asked = pairs(MEMBERS, [
      '',
      '&fields=*,expand.user.*',
      '&fields=expand.user.image,expand.user.address,expand.user.email',
    ]);
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
  const activity = await make('gh_activities', all.filter('user_id = {:user}', { user }), {
    activity: 'webauthnRegister',
    data: { login },
    user_id: user,
    org: org.id,
  });
  const own: Record<string, string> = {
    organizations: org.id,
    org_members: membership.id,
    gh_activities: activity,
    gh_commits: await make('gh_commits', `repo_id = 77`, {
      repo_id: 77,
      commit: 'cd'.repeat(20),
      pr: 1,
      org: org.id,
      activity_ids: [activity],
    }),
    webauthn: await make('webauthn', all.filter('user = {:user}', { user }), {
      type: 'passkey',
      label: `Real key of ${login}`,
      key_id: `real-key-of-${login}`,
      user,
      org: org.id,
      public_key: 'public-key-of-self',
      counter: 4242,
      transports: ['transport-of-self'],
    }),
    totps: await make('totps', all.filter('user_id = {:user}', { user }), {
      label: 'App',
      user_id: user,
      org_id: org.id,
      secret: 'sealed',
    }),
  };
  return { id: user, token, accessToken: meta.accessToken, org: org.id, own, membership: membership.id };
}

/** Counts the product's requests to GitHub with a matching path, and answers those that the test answers. */
function githubAnswers(path: RegExp, answer?: () => Response): { asked(): number; letGo(): void } {
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
  return {
    asked: () => asked,
    letGo() {
      globalThis.fetch = original;
    },
  };
}

const MINUTE_MS = 60_000;
/** An outage that isn't retried, so that the test doesn't wait. */
const down = () =>
  Response.json(
    { message: 'You have exceeded a secondary rate limit.' },
    { status: 403, headers: { 'retry-after': '60' } },
  );
const no = () => Response.json({ message: 'Not Found' }, { status: 404 });

describe('a person’s own user record, through the product', () => {
  const read = async (token: string, id: string) => {
    const refresh = await raw(product.origin, 'POST', '/api/collections/gh_users/auth-refresh', { token });
    const get = await raw(product.origin, 'GET', records('gh_users', `/${id}`), { token });
    expect([refresh.status, get.status]).toEqual([200, 200]);
    const both = [(JSON.parse(refresh.text) as { record: object }).record, JSON.parse(get.text) as object];
    return both as Record<string, unknown>[];
  };

  it('contains their private fields, with the confirmed e-mail address or none', async () => {
    const { id, token } = await realMember();
    const users = product.records.collection('gh_users');
    await users.update(id, { image: { name: 'mine' }, address: '' });
    for (const record of await read(token, id))
      expect(record).toMatchObject({
        id,
        username: 'mona',
        image: { name: 'mine' },
        authenticators: expect.any(Object),
        email: '',
      });
    await users.update(id, { address: 'mona@example.org' });
    for (const record of await read(token, id)) expect(record.email).toBe('mona@example.org');
    for (const record of await read(token, id)) {
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
          const answer = await raw(product.origin, 'GET', records('gh_users', `/${id}${query}`), { token });
          const isShown = isOwn && !/fields|filter/.test(query);
          expect([id, query, answer.status]).toEqual([id, query, isShown ? 200 : 404]);
          if (!isShown) expect(answer.text).toBe("There's nothing here.");
        }
      }
  });

  it('is refused without a session', async () => {
    const { id } = await realMember();
    for (const token of [undefined, 'x', product.records.authStore.token]) {
      const get = await raw(product.origin, 'GET', records('gh_users', `/${id}`), { token });
      const refresh = await raw(product.origin, 'POST', '/api/collections/gh_users/auth-refresh', { token });
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
      const ask = (expand: string) => raw(product.origin, method, `${target}?expand=${expand}`, { token });
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
  const list = (name: string) => raw(product.origin, 'GET', records(name), { token: mona.token });

  it('cost one request to GitHub per minute and membership', async () => {
    const counted = githubAnswers(MEMBERSHIP);
    try {
      for (const name of READABLE) expect((await list(name)).status).toBe(200);
      expect(counted.asked()).toBe(1);
      aheadMs += MINUTE_MS;
      await Promise.all(READABLE.map(list));
      expect(counted.asked()).toBe(2);
    } finally {
      counted.letGo();
    }
  });

  it('are hidden while GitHub does not answer, and shown again when it does', async () => {
    const ask = (target: string) =>
      target === '/api/realtime'
        ? raw(product.origin, 'POST', target, {
            token: mona.token,
            body: { clientId: 'x'.repeat(40), subscriptions: ['gh_activities/*'] },
          })
        : raw(product.origin, 'GET', target, { token: mona.token });
    const github = githubAnswers(MEMBERSHIP, down);
    try {
      for (const target of READS) {
        const answer = await ask(target);
        expect([target, answer.status, answer.text]).toEqual([
          target,
          502,
          "GitHub didn't answer. Nothing is lost: try again.",
        ]);
      }
    } finally {
      github.letGo();
    }
    // The record store doesn't know this client.
    for (const target of READS)
      expect([target, (await ask(target)).status]).toEqual([target, target === '/api/realtime' ? 404 : 200]);
  });

  it('are hidden after an error from GitHub', async () => {
    const error = () => Response.json({ message: 'Server Error' }, { status: 500 });
    const github = githubAnswers(MEMBERSHIP, error);
    try {
      expect((await list('organizations')).status).toBe(502);
    } finally {
      github.letGo();
    }
    expect(itemsOf(await list('organizations'))).not.toEqual([]);
  });

  it('are hidden in the person’s own record too while GitHub does not answer', async () => {
    const github = githubAnswers(MEMBERSHIP, down);
    try {
      for (const [method, target] of [
        ['POST', '/api/collections/gh_users/auth-refresh'],
        ['GET', records('gh_users', `/${mona.id}`)],
      ] as const) {
        const answer = await raw(product.origin, method, target, { token: mona.token });
        expect([target, answer.status]).toEqual([target, 502]);
        expect(answer.text).not.toContain(mona.id);
      }
    } finally {
      github.letGo();
    }
  });

  it('are hidden within a minute after the membership ends, even without a webhook', async () => {
    for (const name of READABLE) expect([name, itemsOf(await list(name)).length > 0]).toEqual([name, true]);
    const github = githubAnswers(MEMBERSHIP, no);
    try {
      expect(itemsOf(await list('organizations'))).not.toEqual([]);
      aheadMs += MINUTE_MS;
      for (const name of READABLE) {
        const answer = await list(name);
        expect([name, answer.status, itemsOf(answer)]).toEqual([name, 200, []]);
      }
      for (const name of READABLE) {
        const one = await raw(product.origin, 'GET', records(name, `/${mona.own[name]}`), {
          token: mona.token,
        });
        expect([name, one.status]).toEqual([name, 404]);
      }
    } finally {
      github.letGo();
    }
  });

  it('are hidden from a person whose own record stays visible', async () => {
    const github = githubAnswers(MEMBERSHIP, no);
    try {
      const answer = await raw(product.origin, 'GET', records('gh_users', `/${mona.id}`), {
        token: mona.token,
      });
      expect(answer.status).toBe(200);
    } finally {
      github.letGo();
    }
  });

  it('are hidden without a session, and cost no request to GitHub', async () => {
    const counted = githubAnswers(/./);
    try {
      for (const token of [undefined, 'x', 'Bearer x', product.records.authStore.token.slice(0, -2)]) {
        const answer = await raw(product.origin, 'GET', records('organizations'), { token });
        expect([token, itemsOf(answer)]).toEqual([token, []]);
      }
      expect(counted.asked()).toBe(0);
    } finally {
      counted.letGo();
    }
  });

  it('follow a role that has changed', async () => {
    const other = await realMember('octocat');
    const ofOctocat = () =>
      raw(product.origin, 'GET', records('webauthn', `/${other.own.webauthn}`), { token: mona.token });
    expect((await ofOctocat()).status).toBe(404);
    const { github_id } = await product.records.collection('gh_users').getOne(mona.id);
    const github = githubAnswers(MEMBERSHIP, () =>
      Response.json({
        state: 'active',
        role: 'admin',
        user: { id: github_id, login: 'mona' },
        organization: { id: product.github.facts.orgID },
      }),
    );
    try {
      aheadMs += MINUTE_MS;
      expect((await ofOctocat()).status).toBe(200);
    } finally {
      github.letGo();
    }
    aheadMs += MINUTE_MS;
    expect((await ofOctocat()).status).toBe(404);
  });
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
    const heard = (listener: typeof member, label: string) => listener.events.join('').includes(label);
    await tell('the-first-activity');
    for (const listener of [member, leaver])
      await until('the first activity', async () => heard(listener, 'the-first-activity'));
    await product.records.collection('org_members').delete(mona.membership);
    await tell('the-second-activity');
    await until('the second activity', async () => heard(member, 'the-second-activity'));
    // A listener's events arrive in order, so this later one shows that nothing is still on its way.
    await product.records.collection('gh_users').update(mona.id, { avatar: 'https://avatars.example/new' });
    expect([
      heard(leaver, 'the-second-activity'),
      heard(outsider, 'activity'),
      heard(guest, 'activity'),
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
      await until('the organization’s own event', async () =>
        one.events.join('').includes('octo-org-changed'),
      );
    await until('the owner’s own event', async () => own.events.join('').includes('Real key of octocat'));
    expect(listener.events.join('')).not.toContain('Real key of octocat');
    expect(listener.events.join('')).toContain('avatars.example/newer');
    for (const one of [listener, own, stranger]) expect(one.events.join('')).not.toMatch(SECRETS);
    // Octocat is a member of the stranger’s organization too.
    expect(stranger.events.join('')).not.toMatch(/Real key of octocat|octo-org-changed/);
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
    await until('the activity', async () => listener.events.join('').includes('"login":"the-one"'));
    expect(listener.events.join('')).toContain('"username":"mona"');
    expect(listener.events.join('')).not.toContain('"login":"another"');
    listener.close();
  });

  it('opens at most two hundred streams per address, not counting those that have ended', async () => {
    const from = { 'x-forwarded-for': '198.51.100.7' };
    const ending = new AbortController();
    const opened = await Promise.all(
      Array.from({ length: 200 }, () =>
        fetch(`${product.origin}/api/realtime`, { headers: from, signal: ending.signal }),
      ),
    );
    const counts = opened.filter(({ status }) => status === 200).length;
    const refused = await raw(product.origin, 'GET', '/api/realtime', { headers: from });
    ending.abort();
    expect([counts, refused.status, refused.text]).toEqual([
      200,
      429,
      'Too many requests. Wait a moment, then try again.',
    ]);
    await until('a free stream', async () => {
      const again = new AbortController();
      const answer = await fetch(`${product.origin}/api/realtime`, { headers: from, signal: again.signal });
      again.abort();
      return answer.status === 200;
    });
  });
});

/** Opens a realtime stream through the product, like a browser, or at the record store itself. */
async function subscribe(
  token: string | undefined,
  topics: string[],
  at = product.origin,
): Promise<{ events: string[]; close(): void }> {
  const ending = new AbortController();
  // The record store binds a listener to its address.
  const headers = { 'x-forwarded-for': '192.0.2.1' };
  const stream = await fetch(`${at}/api/realtime`, { headers, signal: ending.signal });
  const events: string[] = [];
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>)
      events.push(decoder.decode(chunk));
  };
  read().catch(() => undefined);
  const clientId = await until(
    'the client’s id',
    async () => /"clientId":"(\w+)"/.exec(events.join(''))?.[1],
  );
  const answer = await raw(at, 'POST', '/api/realtime', {
    token,
    headers,
    body: { clientId, subscriptions: topics },
  });
  expect([answer.status, answer.text]).toEqual([204, '']);
  return { events, close: () => ending.abort() };
}

describe('migrating the record store', () => {
  const client = (store: { url: string; email: string; password: string }) => createStoreClient(store);
  const bring = (store: { url: string; email: string; password: string }) =>
    migrate(client(store), product.config, product.config.github);

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
    return all;
  }

  // Twice, because a conflict between them depends on a few milliseconds.
  it.each([1, 2])(
    'has the same result for four clients at the same time, and again later (round %d)',
    async () => {
      const store = await startEmptyStore();
      try {
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
      } finally {
        await store.stop();
      }
    },
  );

  it('keeps every record', async () => {
    const before = await snapshot();
    await bring(product.store);
    expect(await snapshot()).toBe(before);
  });

  it('upgrades schema 1: drops the memberships, which GitHub lists, and keeps everything else', async () => {
    const store = await startEmptyStore();
    try {
      await bring(store);
      const versions = store.records.collection('schema_versions');
      for (const { id } of await versions.getFullList()) await versions.delete(id);
      await versions.create({ version: 1 });
      const org = await store.records.collection('organizations').create({ org_id: 1, name: 'ours' });
      await store.records.collection('org_members').create({ org: org.id, role: 'admin' });
      await bring(store);
      const left = async (name: string) => (await store.records.collection(name).getFullList()).length;
      expect([await left('org_members'), await left('organizations')]).toEqual([0, 1]);
      await store.records.collection('org_members').create({ org: org.id, github_id: 1, role: 'admin' });
      await bring(store);
      expect(await left('org_members')).toBe(1);
    } finally {
      await store.stop();
    }
  });

  it('upgrades schema 2: keeps the records of every collection and field that got a new name', async () => {
    const store = await startEmptyStore();
    try {
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
      await bring(store);
      const upgraded = async (name: keyof typeof ids) => store.records.collection(name).getOne(ids[name]);
      expect(await upgraded('one_time_keys')).toMatchObject({ key: 'used' });
      expect(await upgraded('first_authenticators')).toMatchObject({ key: 'first' });
      expect(await upgraded('reconcile_reports')).toMatchObject({ report: { took: 5 } });
      expect(await upgraded('code_failures')).toMatchObject({ user, org, attempt: 3 });
    } finally {
      await store.stop();
    }
  });

  it('refuses a store that is newer than this code, and changes nothing', async () => {
    const store = await startEmptyStore();
    try {
      await bring(store);
      await store.records.collection('schema_versions').create({ version: SCHEMA_VERSION + 1 });
      await store.records.collections.update('webauthn', { listRule: '@request.auth.id = "newer"' });
      const before = await schemaOf(store.records);
      await expect(bring(store)).rejects.toThrow(
        `it has schema ${SCHEMA_VERSION + 1}, and this version of OTP Guard only knows schemas up to ${SCHEMA_VERSION}. Start a newer version.`,
      );
      expect(await schemaOf(store.records)).toBe(before);
    } finally {
      await store.stop();
    }
  });

  it('uses a superuser password that no command line takes for a flag', () => {
    expect(product.store.password).toMatch(/^[A-Za-z0-9]{32,}$/);
  });

  it('lets the embedded store’s superuser sign in only from this machine', async () => {
    const store = await startEmptyStore();
    try {
      const embedded = { ...product.config, store: { kind: 'embedded', dataDir: '/nowhere' } as const };
      await migrate(client(store), embedded, product.config.github);
      const signIn = (headers: Record<string, string>) =>
        raw(store.url, 'POST', '/api/collections/_superusers/auth-with-password', {
          body: { identity: store.email, password: store.password },
          headers,
        });
      expect((await signIn({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(403);
      expect((await signIn({ 'x-forwarded-for': '127.0.0.1' })).status).toBe(200);
    } finally {
      await store.stop();
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type PocketBase from 'pocketbase';
import { createStoreClient } from '../../src/store/client.ts';
import { migrate } from '../../src/store/migrate.ts';
import { collections, SCHEMA_VERSION } from '../../src/store/schema.ts';
import { until } from '../support/product.ts';
import {
  type ProductOverStore,
  type RawAnswer,
  raw,
  startEmptyStore,
  startProductOverStore,
} from '../support/product-over-store.ts';

let product: ProductOverStore;
let world: Awaited<ReturnType<typeof seed>>;

beforeAll(async () => {
  product = await startProductOverStore();
  world = await seed(product.records);
}, 60_000);
afterAll(() => product.stop());

const READABLE = ['webauthn', 'totps', 'gh_activities', 'gh_commits', 'organizations', 'org_members'];
/** Whose records the product itself deletes, after a step-up. */
const GUARDED = ['webauthn', 'totps'];
const SERVER_ONLY = [
  'approvals',
  'challenges',
  'spent',
  'totp_steps',
  'code_failures',
  'enrolled',
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
 * Two organizations and their people. `self` and `same` belong to ours, `other` to the other one, `ex` belonged to
 * ours. `self` has a record in every collection that a user may read.
 */
async function seed(records: PocketBase) {
  const create = async (collection: string, fields: object) =>
    (await records.collection(collection).create<{ id: string }>(fields)).id;
  const person = async (login: string, githubId: number) => {
    const password = `password-of-${login}`;
    const id = await create('gh_users', {
      github_id: githubId,
      username: login,
      email: `${githubId}@unconfirmed.invalid`,
      verified: true,
      password,
      passwordConfirm: password,
      authenticators: { 9001: { totp: true, webauthn: [{ id: `key-of-${login}` }] } },
    });
    const { authStore } = await records.collection('gh_users').impersonate(id, 3600);
    return { id, token: authStore.token };
  };
  const [self, same, other, ex] = [
    await person('self', 101),
    await person('same', 102),
    await person('other', 103),
    await person('ex', 104),
  ];
  const org = await create('organizations', { org_id: 9001, name: 'ours', account_type: 'Organization' });
  const otherOrg = await create('organizations', {
    org_id: 9002,
    name: 'theirs',
    account_type: 'Organization',
  });
  const membership = await create('org_members', { user: self.id, org, role: 'admin' });
  await create('org_members', { user: same.id, org, role: 'admin' });
  await create('org_members', { user: other.id, org: otherOrg, role: 'admin' });
  const left = await create('org_members', { user: ex.id, org, role: 'admin' });
  await records.collection('org_members').delete(left);
  const webauthn = await create('webauthn', {
    type: 'passkey',
    label: 'Label of self',
    key_id: 'key-of-self',
    user: self.id,
    org,
    public_key: 'public-key-of-self',
    counter: 4242,
    transports: ['transport-of-self'],
  });
  const totp = await create('totps', {
    label: 'Label of self',
    user_id: self.id,
    org_id: org,
    secret: 'sealed',
  });
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
    approvals: await create('approvals', {
      repo_id: 7,
      pr: 7,
      head: 'ab',
      user_id: 101,
      public_key: 'proof',
    }),
    challenges: await create('challenges', { challenge: 'challenge', purpose: 'approve', user: self.id }),
    spent: await create('spent', { key: 'spent' }),
    totp_steps: await create('totp_steps', { totp, step: 1 }),
    code_failures: await create('code_failures', { user: self.id, org, place: 1 }),
    enrolled: await create('enrolled', { key: 'self' }),
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
  const actors = { guest: undefined, self: self.token, same: same.token, other: other.token, ex: ex.token };
  return { self, same, other, ex, org, own, actors };
}

type Actor = keyof Awaited<ReturnType<typeof seed>>['actors'];
const ACTORS: Actor[] = ['guest', 'self', 'same', 'other', 'ex'];

/** Who may see the records of `self`. Nobody may create, change or delete any. */
const VISIBLE: Record<string, Actor[]> = {
  gh_users: ['self'],
  organizations: ['self', 'same'],
  org_members: ['self'],
  webauthn: ['self'],
  totps: ['self'],
  gh_activities: ['self', 'same'],
  gh_commits: ['self', 'same'],
  ...Object.fromEntries(SERVER_ONLY.map((name) => [name, []])),
  // The record store's own: its rules cannot be changed, and through the product it is not there.
  _externalAuths: ['self'],
};

/** Everything that anyone stored, so that a test can tell whether something changed. */
async function snapshot(): Promise<string> {
  const all = await Promise.all(
    // The record store notes in `_authOrigins` from where its superuser signs in, which each client of ours does.
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
    // The deletion of an authenticator is a call of the product’s own.
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

/** Spellings of a path that some server somewhere takes for the same path. */
const SPELLINGS: [name: string, spell: (target: string) => string][] = [
  ['as it is', (target) => target],
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
  it.each(SPELLINGS)('does not exist outside the list: %s', async (_name, spell) => {
    const tokens = [undefined, world.actors.self, product.records.authStore.token];
    const page = await raw(product.origin, 'GET', '/');
    const wrong: unknown[] = [];
    await Promise.all(
      FORBIDDEN.flatMap(([method, target]) =>
        tokens.map(async (token) => {
          const answer = await raw(product.origin, method, spell(target), { token });
          // What is no path of the API to anyone is a page of the dashboard.
          const isNothing =
            answer.status === 404
              ? !answer.text.includes('{')
              : [page.text, ''].includes(answer.text) && answer.type === page.type;
          if (!isNothing) wrong.push([method, spell(target), answer.status, answer.text]);
        }),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it.each(['/_/', '/_', '/_/index.html', '/_/#/login', '/_/?x=1'])(
    'has no dashboard of its own at %s',
    async (target) => {
      expect((await raw(product.origin, 'GET', target)).status).toBe(404);
    },
  );

  it.each(['//api/settings', '/./api/settings', '/x/../api/settings', '/%61pi/settings', '/\\api/settings'])(
    'is not reached by way of %s',
    async (target) => {
      const answer = await raw(product.origin, 'GET', target, { token: product.records.authStore.token });
      expect([200, 404]).toContain(answer.status);
      expect(answer.type).not.toContain('json');
    },
  );

  it('answers what is in the list', async () => {
    const { self } = world;
    const ask = async (method: string, target: string, options: { token?: string; body?: unknown } = {}) =>
      (await raw(product.origin, method, target, options)).status;
    const { token } = self;
    expect(await ask('GET', '/api/health')).toBe(200);
    expect(await ask('GET', '/api/collections/gh_users/auth-methods')).toBe(200);
    expect(await ask('POST', '/api/collections/gh_users/auth-refresh', { token })).toBe(200);
    expect(await ask('GET', records('gh_users', `/${self.id}`), { token })).toBe(200);
    for (const name of READABLE) {
      expect([name, await ask('GET', records(name), { token })]).toEqual([name, 200]);
      expect([name, await ask('GET', records(name, `/${world.own[name]}`), { token })]).toEqual([name, 200]);
      expect([name, await ask('GET', records(name, `/${world.own[name]}`))]).toEqual([name, 404]);
    }
  });

  it('reads pages of at most fifty', async () => {
    for (const perPage of ['500', '-1', '1e9', 'x', '']) {
      const answer = await raw(product.origin, 'GET', records('webauthn', `?perPage=${perPage}`), {
        token: world.self.token,
      });
      expect([perPage, (JSON.parse(answer.text) as { perPage: number }).perPage]).toEqual([perPage, 50]);
    }
    const twice = await raw(product.origin, 'GET', records('webauthn', '?perPage=5&perPage=500'), {
      token: world.self.token,
    });
    expect((JSON.parse(twice.text) as { perPage: number }).perPage).toBeLessThanOrEqual(50);
    const long = await raw(product.origin, 'GET', records('webauthn', `?filter=${'x'.repeat(5000)}`), {
      token: world.self.token,
    });
    expect(long.status).toBe(404);
  });

  it('does not open itself to other sites', async () => {
    const answer = await fetch(`${product.origin}/api/health`, {
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
  });
});

/** What a user might send to write a record, each with the status that the record store refuses it with. */
const BODY = {
  label: 'mine',
  role: 'admin',
  'role+': 'x',
  user: '',
  emailVisibility: true,
  tokenKey: 'x'.repeat(50),
};

describe('a write by a user', () => {
  it.each(EVERY)('changes nothing in %s, through the product and past it', async (name) => {
    const id = world.own[name] ?? 'aaaaaaaaaaaaaaa';
    const body = { ...BODY, user: world.same.id };
    const before = await snapshot();
    const passed: unknown[] = [];
    for (const [method, target, sent] of [
      ['POST', records(name), body],
      ['POST', records(name), { ...body, id: 'bbbbbbbbbbbbbbb' }],
      ['PUT', records(name), { ...body, id }],
      ['PATCH', records(name, `/${id}`), body],
      ['PUT', records(name, `/${id}`), body],
      ['DELETE', records(name, `/${id}`), undefined],
    ] as const) {
      for (const actor of ACTORS) {
        // The record store lets nobody change the rules of its own tables, and by them a user may unlink
        // themselves there; through the product nobody reaches that, and signing in undoes it.
        const past = name.startsWith('_') ? [] : [product.store.url];
        for (const place of [product.origin, ...past]) {
          const answer = await raw(place, method, target, { token: world.actors[actor], body: sent });
          const isCall = method === 'DELETE' && GUARDED.includes(name);
          const isNothing = answer.status === (isCall ? 401 : 404);
          const isRefused = place === product.origin ? isNothing : answer.status >= 400;
          if (!isRefused) passed.push([actor, place, method, target, answer.status]);
        }
      }
    }
    expect(passed).toEqual([]);
    expect(await snapshot()).toBe(before);
  });

  it('changes nothing by another spelling of the path', async () => {
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

  it('gives nobody a session by password, code or mail', async () => {
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

describe.each(EVERY)('reading %s', (name) => {
  const allowed = VISIBLE[name] ?? [];

  it.each(ACTORS)('as %s: the list', async (actor) => {
    const answer = await direct('GET', records(name), actor);
    const seen = answer.status === 200 ? itemsOf(answer).map(({ id }) => id) : [];
    expect(seen.includes(world.own[name] ?? '')).toBe(allowed.includes(actor));
  });

  it.each(ACTORS)('as %s: one record', async (actor) => {
    const answer = await direct('GET', records(name, `/${world.own[name] ?? 'aaaaaaaaaaaaaaa'}`), actor);
    expect(answer.status === 200).toBe(allowed.includes(actor));
  });

  it.each(ACTORS)('as %s: filtered and sorted, nothing more', async (actor) => {
    for (const query of ['filter=id!=""', 'sort=-id', 'filter=created>"2000-01-01"||id!=""', 'skipTotal=1']) {
      const answer = await direct('GET', records(name, `?${encodeURI(query)}`), actor);
      const seen = answer.status === 200 ? itemsOf(answer).map(({ id }) => id) : [];
      if (!allowed.includes(actor)) expect(seen).not.toContain(world.own[name]);
    }
  });
});

/** Every way from one collection to another, by a relation or back. */
const EXPANSIONS: [collection: string, expand: string, target: string][] = [
  ['gh_users', 'org_members_via_user', 'org_members'],
  ['gh_users', 'webauthn_via_user', 'webauthn'],
  ['gh_users', 'totps_via_user_id', 'totps'],
  ['gh_users', 'gh_activities_via_user_id', 'gh_activities'],
  ['gh_users', 'challenges_via_user', 'challenges'],
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

describe.each(EXPANSIONS)('expanding %s by %s', (name, expand, target) => {
  it.each(ACTORS)('as %s shows what that person may see there, and no more', async (actor) => {
    const answer = await direct('GET', records(name, `/${world.own[name]}?expand=${expand}`), actor);
    const canSee = (VISIBLE[name] ?? []).includes(actor) && (VISIBLE[target] ?? []).includes(actor);
    const { expand: shown } = JSON.parse(answer.text) as { expand?: object };
    expect(JSON.stringify(shown ?? '').includes(`"id":"${world.own[target]}"`)).toBe(canSee);
    expect(answer.text).not.toMatch(/public-key-of-self|transport-of-self|4242|sealed|tokenKey/);
  });
});

/** Fields that nobody may see, by which collection and by which way one might ask for them. */
const HIDDEN: [collection: string, field: string, value: string][] = [
  ['webauthn', 'public_key', '"public-key-of-self"'],
  ['webauthn', 'counter', '4242'],
  ['webauthn', 'transports', '"transport-of-self"'],
  ['totps', 'secret', '"sealed"'],
  ['gh_users', 'tokenKey', '"x"'],
  ['gh_users', 'password', '"x"'],
  ['org_members', 'user.tokenKey', '"x"'],
  ['gh_users', 'webauthn_via_user.public_key', '"public-key-of-self"'],
  ['organizations', 'webauthn_via_org.public_key', '"public-key-of-self"'],
  ['organizations', 'webauthn_via_org.counter', '4242'],
  ['organizations', 'totps_via_org_id.secret', '"sealed"'],
  ['gh_users', 'challenges_via_user.challenge', '"challenge"'],
];

describe.each(HIDDEN)('the hidden field %s.%s', (name, field, value) => {
  it.each(ACTORS.filter((actor) => actor !== 'guest'))('cannot be asked for by %s', async (actor) => {
    for (const query of [
      `filter=${field}=${value}`,
      `filter=${field}!=${value}`,
      `filter=${field}~"a"||id!=""`,
      `filter=${field}>0`,
      `sort=${field}`,
      `sort=-${field}`,
    ]) {
      const answer = await direct(
        'GET',
        records(name, `?${encodeURIComponent(query).replace('%3D', '=')}`),
        actor,
      );
      expect([query, answer.status]).toEqual([query, 400]);
    }
  });

  it('is not in the answer, however it is asked for', async () => {
    for (const query of ['', `?fields=*,${field}`, `?fields=${field}`, '?fields=*']) {
      const answer = await direct('GET', records(name, `/${world.own[name]}${query}`), 'self');
      expect(answer.text).not.toMatch(/public-key-of-self|transport-of-self|4242|sealed|tokenKey/);
    }
  });
});

/** A filter over another person's records tells them by what it finds, as well as by what it shows. */
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
  [
    'organizations',
    'org_members_via_org.user.username ?= "self"',
    'org_members_via_org.user.username ?= "no"',
  ],
  ['organizations', 'org_members_via_org.user.email ?~ "101@"', 'org_members_via_org.user.email ?~ "999@"'],
  ['gh_activities', 'user_id.email ?~ "101@"', 'user_id.email ?~ "999@"'],
  ['gh_activities', 'user_id.authenticators ?~ "key-of-self"', 'user_id.authenticators ?~ "key-of-nobody"'],
  ['gh_activities', '@collection.webauthn.label ?= "Label of self"', '@collection.webauthn.label ?= "x"'],
  ['gh_activities', '@collection.approvals.public_key ?= "proof"', '@collection.approvals.public_key ?= "x"'],
];

describe.each(ORACLES)('a filter of %s by %s', (name, yes, no) => {
  it('tells another member of the organization nothing', async () => {
    const ask = async (filter: string, token: string) => {
      const target = records(name, `?filter=${encodeURIComponent(filter)}`);
      const answer = await raw(product.store.url, 'GET', target, { token });
      return [answer.status, answer.status === 200 ? itemsOf(answer).length : 0];
    };
    const superuser = product.records.authStore.token;
    // Where the answers differ the filter tells: it does for the superuser, and must not for a member.
    expect(await ask(yes, superuser)).not.toEqual(await ask(no, superuser));
    expect(await ask(yes, world.actors.same)).toEqual(await ask(no, world.actors.same));
  });
});

describe('realtime', () => {
  it('tells nobody of the records of another', async () => {
    const listener = await subscribe(world.same.token, [
      'webauthn/*',
      'totps/*',
      'gh_users/*',
      'organizations/*',
    ]);
    const own = await subscribe(world.self.token, ['webauthn/*']);
    await product.records.collection('webauthn').update(world.own.webauthn ?? '', { last_used: new Date() });
    await product.records
      .collection('organizations')
      .update(world.org, { html_url: 'https://github.com/ours' });
    await until('the organization’s own event', async () =>
      listener.events.some((text) => text.includes('ours')),
    );
    await until('the owner’s own event', async () =>
      own.events.some((text) => text.includes('Label of self')),
    );
    expect(listener.events.join('')).not.toContain('Label of self');
    expect(own.events.join('')).not.toMatch(/public-key-of-self|transport-of-self|4242/);
    listener.close();
    own.close();
  });
});

/** Listens through the product, as a browser would. */
async function subscribe(token: string, topics: string[]): Promise<{ events: string[]; close(): void }> {
  const ending = new AbortController();
  // The record store ties a listener to where it came from.
  const headers = { 'x-forwarded-for': '192.0.2.1' };
  const stream = await fetch(`${product.origin}/api/realtime`, { headers, signal: ending.signal });
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
  const answer = await raw(product.origin, 'POST', '/api/realtime', {
    token,
    headers,
    body: { clientId, subscriptions: topics },
  });
  expect([answer.status, answer.text]).toEqual([204, '']);
  return { events, close: () => ending.abort() };
}

describe('bringing the record store to the schema', () => {
  const client = (store: { url: string; email: string; password: string }) => createStoreClient(store);
  const bring = (store: { url: string; email: string; password: string }) =>
    migrate(client(store), product.config, product.config.github);

  /** The collections as the record store has them, without what says when. */
  async function schemaOf(superuser: PocketBase): Promise<string> {
    const all = await superuser.collections.getFullList({ sort: 'name' });
    return JSON.stringify(all, (key, value) => (['updated', 'created'].includes(key) ? undefined : value));
  }

  // Once is not enough: where they get into each other's way depends on a few milliseconds.
  it.each([1, 2, 3, 4])('comes out the same for four clients at once, and again (round %d)', async () => {
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
  });

  it('keeps what is stored', async () => {
    const before = await snapshot();
    await bring(product.store);
    expect(await snapshot()).toBe(before);
  });

  it('refuses a store that is newer than this code, and leaves it as it is', async () => {
    const store = await startEmptyStore();
    try {
      await bring(store);
      await store.records.collection('schema_versions').create({ version: SCHEMA_VERSION + 1 });
      await store.records.collections.update('webauthn', { listRule: '@request.auth.id = "newer"' });
      const before = await schemaOf(store.records);
      await expect(bring(store)).rejects.toThrow(
        `The record store has schema ${SCHEMA_VERSION + 1}, and this version of OTP Guard knows ${SCHEMA_VERSION}. Start a newer version.`,
      );
      expect(await schemaOf(store.records)).toBe(before);
    } finally {
      await store.stop();
    }
  });

  it('has a superuser whose password no command line takes for a flag', () => {
    expect(product.store.password).toMatch(/^[A-Za-z0-9]{32,}$/);
  });

  it('lets the embedded store’s superuser in from this machine alone', async () => {
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

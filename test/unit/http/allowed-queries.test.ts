import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import PocketBase from 'pocketbase';
import { memberQueries } from '../../../src/adapters/pocketbase/collections.ts';
import { createAllowList } from '../../../src/http/record-api/allow-list.ts';
import { subscriptionsTo } from '../../../src/http/record-api/subscriptions.ts';

const permit = createAllowList(memberQueries);
const subscriptions = subscriptionsTo(memberQueries);
const ID = 'a1b2c3d4e5f6g7h';
const AT = '2026-05-04 12:34:56.789Z';
const EXPRESSIONS = ['filter', 'sort', 'expand', 'fields'] as const;
type Query = Partial<Record<(typeof EXPRESSIONS)[number], string>>;

const store = new PocketBase('/');
const BEFORE = store.filter('(created <= {:at} && (created < {:at} || id < {:id}))', { at: AT, id: ID });
const QUOTED = store.filter('org = {:org} && data.login = {:login}', { org: ID, login: `o"b'c` });

/** The queries of the dashboard and the wire contract for each list. */
const SENT: [collection: string, query: Query][] = [
  ['webauthn', { filter: `user = "${ID}"`, sort: '-created,-id', expand: 'user,org' }],
  ['webauthn', { filter: `org='${ID}'`, sort: '-created', expand: 'user, org' }],
  ['totps', { filter: `org_id = "${ID}"`, sort: '-created,-id', expand: 'user_id,org_id' }],
  ['gh_activities', { filter: `org.org_id=9919`, sort: '-created', expand: 'user_id' }],
  [
    'gh_activities',
    { filter: `org = "${ID}" && activity = "setOrgImage" && user_id = "${ID}" && ${BEFORE}` },
  ],
  ['gh_activities', { filter: `${QUOTED} && created >= "${AT}"`, sort: '-created,-id', expand: 'user_id' }],
  [
    'gh_activities',
    {
      filter: `org = "${ID}" && activity = "vouch" && (user_id = "${ID}" || user_id = "${ID}") && data.repo ~ "hel" && created >= "${AT}" && ${BEFORE}`,
    },
  ],
  [
    'webauthn',
    { filter: `org = "${ID}" && type = "passkey" && (user = "${ID}" || label ~ "a_b") && ${BEFORE}` },
  ],
  ['totps', { filter: `org_id = "${ID}" && (user_id = "${ID}" || user_id = "${ID}")` }],
  ['gh_commits', { filter: 'commit = "ab" && pr = 7 && org.name:lower = "octo-org"', sort: '-created' }],
  ['gh_commits', { filter: 'org.org_id = 9919', expand: 'activity_ids,activity_ids.user_id,org' }],
  ['org_members', { filter: `org = "${ID}" && login:lower = "mona"`, fields: 'user,login' }],
  ['org_members', { filter: `org = "${ID}" && login ~ "mo"`, sort: 'login', fields: 'user,login' }],
  ['organizations', { filter: 'org_id = 9919', sort: '+name' }],
];

const REFUSED_FILTERS = [
  // Once there are statistics, SQLite would read and sort the whole list for this.
  `(created < "${AT}" || (created = "${AT}" && id < "${ID}"))`,
  'user.webauthn_via_user.label = "x"',
  'user = @request.auth.id',
  '@collection.approvals.id = "x"',
  'org = "x" && (user = "y")',
  'org ?= "x"',
  'org = org',
  'public_key = "x"',
  'constructor = "x"',
  'org',
  'org = "x" &&',
  'org = "x" org = "y"',
  '((org = "x"))',
  'strftime("%s", created) = "1"',
  'org = "x" // comment',
  'org = 1.5',
  // PocketBase reads the backslash as part of the text, so the text would continue behind its quote.
  'org = "\\\\" && user = " || label = "',
  'org = "\0"',
  'org = "x',
  `org = "${'x'.repeat(201)}"`,
  Array.from({ length: 7 }, () => 'org = "x"').join(' && '),
  '(user = "x" && label ~ "x")',
  '(user = "x" || user.username ~ "x")',
  '(user = "x" || (user = "y" || user = "z"))',
  '(user = "x" || label ~ "%")',
  '(user = "x" || label ~ "x") || org = "x"',
  `(${Array.from({ length: 22 }, () => 'user = "x"').join(' || ')})`,
];

const listOf = (collection: string, query: Query) =>
  permit('GET', `/api/collections/${collection}/records?${new URLSearchParams(query)}`);
const topicOf = (topic: string, query: Query) =>
  `${topic}?options=${encodeURIComponent(JSON.stringify({ query }))}`;
const isSubscribable = (...topics: unknown[]) =>
  subscriptions.safeParse({ clientId: 'x'.repeat(40), subscriptions: topics }).success;

describe('a query of the record store', () => {
  it.each(SENT)('may ask of %s what the dashboard asks: %j', (collection, query) => {
    const { searchParams } = new URL(listOf(collection, query)?.target ?? '', 'http://store');
    expect(Object.fromEntries(searchParams)).toEqual(query);
    const { sort: _sort, ...ofEvents } = query;
    expect(isSubscribable('PB_CONNECT', topicOf(`${collection}/*`, ofEvents))).toBe(true);
  });

  it.each(REFUSED_FILTERS)('is refused with the filter %j, also in a subscription', (filter) => {
    expect(listOf('webauthn', { filter })).toBeNull();
    expect(isSubscribable(topicOf('webauthn/*', { filter }))).toBe(false);
  });

  it.each<[string, Query]>([
    ['org_members', { filter: `login ~ "%a%b%"` }],
    ['org_members', { filter: BEFORE }],
    ['gh_activities', { filter: 'data.label = "x"' }],
    ['gh_activities', { filter: '(user_id = "x" || data.login = "x")' }],
    ['gh_activities', { filter: BEFORE.replace('||', '&&') }],
    ['webauthn', { sort: '@random' }],
    ['webauthn', { sort: '-created,created' }],
    ['webauthn', { expand: 'user.org_members_via_user' }],
    ['webauthn', { expand: 'user,user' }],
    ['webauthn', { fields: '*' }],
    ['org_members', { fields: '*,expand.user.image' }],
  ])('is refused for %s with %j', (collection, query) => {
    expect(listOf(collection, query)).toBeNull();
    expect(isSubscribable(topicOf(`${collection}/*`, query))).toBe(false);
  });

  it('is refused if it names an expression twice, and loses what the record store does not read', () => {
    const list = '/api/collections/webauthn/records';
    expect(permit('GET', `${list}?expand=user&expand=a.b.c.d`)).toBeNull();
    expect(permit('GET', `${list}?expand=user&e%78pand=user`)).toBeNull();
    expect(permit('GET', `${list}?page=2&Expand=a.b.c.d&expand[]=a.b&x=%zz&filter=`)?.target).toBe(
      `${list}?page=2`,
    );
  });

  it.each<[string, string, Query, Query]>([
    ['GET', '/api/health', {}, { fields: 'code' }],
    ['GET', '/api/collections/gh_users/auth-methods', { fields: 'mfa,otp,password,oauth2' }, { fields: '*' }],
    ...['auth-refresh', 'auth-with-oauth2'].map((call): [string, string, Query, Query] => [
      'POST',
      `/api/collections/gh_users/${call}`,
      { expand: 'org_members_via_user.org' },
      { expand: 'a.b.c.d' },
    ]),
    [
      'GET',
      `/api/collections/gh_users/records/${ID}`,
      { expand: 'org_members_via_user' },
      { expand: 'org_members_via_user.org.org_members_via_org' },
    ],
    ['GET', `/api/collections/webauthn/records/${ID}`, { expand: 'user,org' }, { filter: `user = "${ID}"` }],
    ['GET', '/api/realtime', {}, { expand: 'user' }],
    ['POST', '/api/realtime', {}, { filter: 'org = "x"' }],
  ])('has a list of its own for each call: %s %s', (method, path, allowed, refused) => {
    const asked = (query: Query) => permit(method, `${path}?${new URLSearchParams(query)}`);
    expect([asked(allowed)?.expand, asked(refused)]).toEqual([allowed.expand, null]);
    for (const name of EXPRESSIONS) expect(asked({ [name]: 'nothing' })).toBeNull();
  });
});

describe('a subscription', () => {
  const options = (value: unknown) => `webauthn/*?options=${encodeURIComponent(JSON.stringify(value))}`;

  it.each([
    'webauthn',
    'gh_users/*',
    'approvals/*',
    'webauthn/%',
    'webauthn/*?options=%',
    'webauthn/*?options={"query":{}}',
    'webauthn/*?x=1&options=%7B%7D',
    'webauthn/*?options=%7B%7D&options=%7B%7D',
    options({ query: { expand: 'user' } }).replace('%22user', '+%22user'),
    options({ query: { expand: 'user.org_members_via_user' } }),
    options({ query: { sort: 'created' } }),
    options({ Query: { expand: 'a.b.c' } }),
    options({ query: {}, headers: { Authorization: 'x' } }),
    `webauthn/*?options=${encodeURIComponent('{"query":{"expand":"a.b.c"},"query":{}}')}`,
    options({
      query: { filter: Array.from({ length: 6 }, () => `org = "${'é'.repeat(200)}"`).join(' && ') },
    }),
    7,
  ])('is refused for the topic %j', (topic) => {
    expect([isSubscribable(topic), isSubscribable('PB_CONNECT', topic)]).toEqual([false, false]);
  });

  it('has at most twenty topics, and no field that the record store would read as one of its own', () => {
    expect(isSubscribable(...Array(20).fill(`webauthn/${ID}`))).toBe(true);
    expect(isSubscribable(...Array(21).fill(`webauthn/${ID}`))).toBe(false);
    for (const body of [undefined, {}, { clientId: 'x' }, { clientId: 'x/', subscriptions: [] }])
      expect(subscriptions.safeParse(body).success).toBe(false);
    const twice = { clientId: 'x', subscriptions: [], Subscriptions: ['webauthn/*?options=%'] };
    expect(subscriptions.safeParse(twice).success).toBe(false);
  });
});

/** Pieces of filters, allowed and not, so that many of their combinations come close to an allowed one. */
const PIECES = [
  ...Object.values(memberQueries).flatMap(({ filter }) => Object.keys(filter)),
  ...['=', '~', '<', '&&', '||', '(', ')', '"x"', `'y'`, '7', ' ', 'user.image', 'a.b.c'],
  ...['org_members_via_org', '@request.auth.id', '\\', '"', "'", '//', '\n', '?=', '%', ':lower', 'lower('],
];
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }).map((pieces) => pieces.join('')),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }).map((pieces) => pieces.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

/** An allowed expression without its literals: known names and operators only. */
function hasOnlyKnownNames(collection: string, name: keyof Query, value: string): boolean {
  const allowed = memberQueries[collection];
  if (!allowed || value === '') return value === '';
  if (name !== 'filter')
    return value.split(',').every((item) => allowed[name].includes(item.trim().replace(/^[+-]/, '')));
  // As PocketBase finds the end of a text: at the next quote of its kind without a backslash before it.
  const rest = value.replace(/"(?:.*?[^\\])?"|'(?:.*?[^\\])?'/gs, '7');
  const words = rest.split(/\s*(?:&&|\|\||[()]|[<>]=?|[=~])\s*/).map((word) => word.trim());
  return words.every((word) => ['', ...Object.keys(allowed.filter)].includes(word) || /^\d+$/.test(word));
}

describe('a random query', () => {
  const anyCollection = fc.constantFrom(...Object.keys(memberQueries));

  it('passes only with names from its list', () => {
    fc.assert(
      fc.property(anyCollection, fc.constantFrom(...EXPRESSIONS), anyText, (collection, name, value) => {
        const isPassed = listOf(collection, { [name]: value }) !== null;
        const ofEvents = name !== 'sort' && isSubscribable(topicOf(`${collection}/*`, { [name]: value }));
        expect((!isPassed && !ofEvents) || hasOnlyKnownNames(collection, name, value)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('passes if its values are any that the dashboard’s client can quote, and stays what it was', () => {
    const anyValue = fc
      .string({ unit: 'binary', maxLength: 100 })
      .filter((text) => !/[\\\p{Cc}\p{Cs}]/u.test(text));
    fc.assert(
      fc.property(anyValue, (login) => {
        const filter = store.filter('org = {:org} && data.login = {:login}', { org: ID, login });
        const { target } = listOf('gh_activities', { filter }) ?? { target: '' };
        expect(new URL(target, 'http://store').searchParams.get('filter')).toBe(filter);
      }),
      { numRuns: 500 },
    );
  });
});

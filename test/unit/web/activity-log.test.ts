import { describe, expect, test } from '@jest/globals';
import { personText } from '../../../src/contract/events/log-text.ts';
import type { ProtectionChange } from '../../../src/contract/protection.ts';
import { type Entry, readEntry } from '../../../web/src/features/organization/log/entry.ts';
import { plainEntryText } from '../../../web/src/features/organization/log/entry-text.ts';
import { LOG_FILTERS } from '../../../web/src/features/organization/log/filters.ts';
import { groupByDay } from '../../../web/src/features/organization/log/local-time.ts';
import { countText } from '../../../web/src/features/organization/log/log-page.tsx';
import { entryPath, entryPull } from '../../../web/src/features/organization/log/log-row.tsx';
import {
  PAGE_SIZE,
  readOlder,
  resolveFilters,
  storeFilter,
} from '../../../web/src/features/organization/log/read-log.ts';
import { fakeRecordStore } from './fixtures.ts';

const ORG = 'org000000000001';
const SHA = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const approval = { repo: 'hello', pr: 7, sha: SHA };

function entry(id: string, at: string): Entry {
  return { id, number: 0, at, kind: 'totpCollect', login: 'mona', avatar: '', data: {} };
}

/** Entries a minute apart, newest first; `newest` is the number and the minute of the first. */
const page = (count: number, newest = 1000) =>
  Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.UTC(2026, 4, 4, 0, newest - index)).toISOString().replace('T', ' ');
    return entry(`entry${newest - index}`, at);
  });

const queryOf = (url = '') => Object.fromEntries(new URL(url).searchParams);

const CHANGE: ProtectionChange = {
  ...{ kind: 'ruleNotActive', isWeaker: true, repo: 'hello', subject: 'Main' },
  ...{ before: 'requires the check', after: "isn't enforced" },
};

const OWNER_LEFT = { before: 'owner', after: 'no owner' };

describe('the text of a log entry', () => {
  test.each([
    [
      'webauthnCollect',
      { ...approval, type: 'passkey', label: 'Laptop' },
      'approved hello #7 at 6dcb09b5 with passkey “Laptop”',
    ],
    [
      'protectionWeakened',
      { change: CHANGE },
      "weakened what protects the organization: hello: the rule “Main” isn't enforced (before: requires the check)",
    ],
    [
      'protectionWeakened',
      { change: { ...CHANGE, subject: 'the branch protection of main' } },
      "weakened what protects the organization: hello: the branch protection of main isn't enforced (before: requires the check)",
    ],
    [
      'weakeningAcknowledged',
      { change: CHANGE, entry: 42, alone: true },
      "acknowledged log entry 42 alone, as the only owner: hello: the rule “Main” isn't enforced (before: requires the check)",
    ],
    [
      'protectionStrengthened',
      { change: { kind: 'ownerAdded', isWeaker: false, subject: '', ...OWNER_LEFT }, user: 'mona' },
      'strengthened what protects the organization: mona is no longer an owner (before: owner)',
    ],
    [
      'hookStop',
      { hook: 'webhook', host: 'h.example' },
      'stopped the outgoing webhook to h.example, which failed for a week',
    ],
    ['webauthnCollect', {}, 'approved a pull request with an authenticator'],
    ['totpCollect', { ...approval, label: 'totp' }, 'approved hello #7 at 6dcb09b5 with a one-time code'],
    ['webauthnRegister', { type: 'security-key' }, 'registered a security key'],
    ['webauthnRegister', { type: 'passkey', label: 'Laptop' }, 'registered the passkey “Laptop”'],
    ['totpRegister', {}, 'registered an authenticator app'],
    [
      'authenticatorRename',
      { type: 'security-key', label: 'Blue', formerLabel: 'Red' },
      'renamed the security key “Red” to “Blue”',
    ],
    ['authenticatorRename', {}, 'renamed an authenticator'],
    ['authenticatorDelete', { type: 'totp', label: 'mona@octo-org/github' }, 'deleted an authenticator app'],
    [
      'memberAuthenticatorDelete',
      { type: 'passkey', label: 'P', user: 'mona' },
      "deleted mona's passkey “P”",
    ],
    ['memberAuthenticatorDelete', {}, "deleted a member's authenticator"],
    ['memberSessionsEnd', { login: 'octocat', user: 'mona' }, 'signed mona out everywhere'],
    [
      'forgedRecord',
      { collection: 'approvals' },
      'wrote a forged record to the database, which OTP Guard ignores: approvals',
    ],
    [
      'approvalWithdraw',
      { ...approval, login: 'octocat', user: 'mona', lostSince: '2026-11-20T09:14:00Z' },
      "withdrew mona's approval of hello #7 at 6dcb09b5, made with an authenticator that was lost or stolen since Nov 20, 2026, 9:14:00 AM UTC",
    ],
    [
      'approvalWithdraw',
      { ...approval, login: 'mona', user: 'mona', denies: true },
      'withdrew their denial of hello #7 at 6dcb09b5',
    ],
    [
      'webauthnDeny',
      { ...approval, type: 'passkey', label: 'P', reason: 'drops a table' },
      'denied hello #7 at 6dcb09b5 with passkey “P”: “drops a table”',
    ],
    [
      'totpDeny',
      { ...approval, type: 'totp', reason: 'drops a table' },
      'denied hello #7 at 6dcb09b5 with a one-time code: “drops a table”',
    ],
    [
      'denialEnd',
      { ...approval, login: 'mona', reason: 'drops a table' },
      'left the organization, which ended their denial of hello #7 at 6dcb09b5: “drops a table”',
    ],
    [
      'denialSetAside',
      {
        ...approval,
        login: 'octocat',
        user: 'mona',
        reason: 'drops a table',
        setAsideReason: 'it was a test',
      },
      "set aside mona's denial of hello #7 at 6dcb09b5: “drops a table”, because of “it was a test”",
    ],
    ['unapprovedMerge', { ...approval, login: 'mona' }, 'merged hello #7 at 6dcb09b5 without an approval'],
    ['constructor', {}, "did something that this page can't describe: constructor"],
  ] as const)('of kind %s with %o reads “%s”', (kind, data, text) => {
    expect(plainEntryText({ kind, data })).toBe(text);
  });
});

describe('the link of a log entry', () => {
  const organization = { name: 'octo-org', orgId: 9919, installationId: 77 };
  const query = 'owner=octo-org&ownerID=9919&installation=77';
  const deployment = { sha: SHA, repo: 'hello', run: 77, environment: 'release', base: 'main' };
  test.each([
    ['totpCollect', approval, `/commit?head=${SHA}&pr=7&repo=hello&${query}`],
    ['totpCollect', {}, null],
    ['authenticatorRename', {}, `/org/authenticators?${query}`],
    ['memberAuthenticatorDelete', {}, `/org/authenticators?${query}`],
    ['setOrgImage', {}, `/org/image?${query}`],
    ['unapprovedMerge', approval, null],
    ['totpDeploy', deployment, `/deploy?repo=hello&run=77&environment=release&${query}`],
    ['approvalWithdraw', deployment, `/deploy?repo=hello&run=77&environment=release&${query}`],
    [
      'deployRefuse',
      { ...deployment, why: 'fork' },
      `/deploy?repo=hello&run=77&environment=release&${query}`,
    ],
    ['deployRefuse', { ...deployment, why: 'otherCommit' }, null],
  ] as const)('of kind %s with %o leads to %s', (kind, data, path) => {
    expect(entryPath({ kind, data }, organization)).toBe(path);
  });

  test('leads to the pull request on GitHub only after an unapproved merge', () => {
    const pull = (kind: string) => entryPull({ kind, data: approval }, organization);
    expect(pull('unapprovedMerge')).toEqual({ owner: 'octo-org', repo: 'hello', pr: '7' });
    expect(pull('totpCollect')).toBeNull();
  });
});

describe('the person of a log entry', () => {
  const raw = { id: 'a', created: '2026-05-04 12:00:00.000Z', activity: 'totpCollect' };
  test('has their current login, or else the login at that time', () => {
    const expand = { user_id: { username: 'mona', avatar: 'https://example.org/mona.png' } };
    expect(readEntry({ ...raw, data: { login: 'old-mona' }, expand })).toMatchObject({
      login: 'mona',
      avatar: 'https://example.org/mona.png',
    });
    expect(readEntry({ ...raw, data: { login: 'old-mona' } }).login).toBe('old-mona');
  });

  test('is not the member whose authenticator an owner removed', () => {
    const data = { user: 'mona' };
    expect(readEntry({ ...raw, activity: 'memberAuthenticatorDelete', data }).login).toBe('');
  });

  test('is OTP Guard if it did something itself, and otherwise unknown without a login', () => {
    const texts = ['hookStop', 'restore'].map((kind) => personText({ kind, login: '' }));
    expect(texts).toEqual(['OTP Guard', 'Someone']);
  });
});

describe('the times of the log', () => {
  const reader = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'Asia/Tokyo' });
  test("group the entries by the reader's day, in their order", () => {
    const entries = [
      entry('c', '2026-05-04 16:30:00.000Z'),
      entry('b', '2026-05-04 14:30:00.000Z'),
      entry('a', '2026-05-04 01:00:00.000Z'),
    ];
    expect(
      groupByDay(entries, reader).map(({ heading, items }) => [heading, items.map(({ id }) => id)]),
    ).toEqual([
      [expect.stringMatching(/^Tuesday,? 5 May 2026$/), ['c']],
      [expect.stringContaining('4 May 2026'), ['b', 'a']],
    ]);
    expect(groupByDay([], reader)).toEqual([]);
  });
});

test.each([
  [page(1), 1, false, '1 entry'],
  [page(23), 1, true, '23 matching entries'],
  [page(PAGE_SIZE), 1, true, 'More than 50 matching entries'],
  [page(PAGE_SIZE), 2, false, 'More than 100 entries'],
  [page(3), 3, false, '103 entries'],
])(
  'a page of the log has a number, which is exact if it is the last one (%#)',
  (entries, number, limited, text) => {
    const next = entries.length === PAGE_SIZE ? { at: '', id: '' } : null;
    expect(countText({ entries, next }, number, limited)).toBe(text);
  },
);

describe('the filters of the log', () => {
  test.each([
    ['', {}],
    [
      '?person=mona&kind=totpCollect&repository=hello',
      { person: 'mona', kind: 'totpCollect', repository: 'hello' },
    ],
    ['?from=2026-11-01&to=2026-11-21', { from: '2026-11-01', to: '2026-11-21' }],
    ['?person=%20@mona%20', { person: 'mona' }],
    ['?person=mo%5Cna%0A&repository=%25hello%25', { person: 'mona', repository: 'hello' }],
    ['?kind=constructor&from=2026-13-01&to=yesterday', {}],
  ])('in the query %j are %j', (search, filters) => {
    const read = LOG_FILTERS.read(search);
    expect(read).toEqual({ ...LOG_FILTERS.none, ...filters });
    const params = Object.entries(LOG_FILTERS.write(read)).flatMap(([name, value]) =>
      value ? [[name, value]] : [],
    );
    expect(LOG_FILTERS.read(`?${new URLSearchParams(params)}`)).toEqual(read);
    expect(LOG_FILTERS.isFiltered(read)).toBe(params.length > 0);
  });
});

describe('reading the log', () => {
  const AT = '2026-05-04 12:00:00.000Z';
  const none = { json: { items: [] } };
  const user = (number: number) => ({ user: `user0000000000${number}`, login: `mona-${number}` });

  test('continues after the last entry instead of at a page number', async () => {
    const { store, requests } = fakeRecordStore([none, none]);
    const query = { org: ORG, from: '2026-05-01 00:00:00.000Z', to: '2026-05-31 23:59:59.999Z' };
    await readOlder(store, query, { at: AT, id: 'a' });
    await readOlder(store, query);
    expect(queryOf(requests[0]?.url)).toMatchObject({
      page: '1',
      filter: `org = "${ORG}" && created >= "${query.from}" && (created <= "${AT}" && (created < "${AT}" || id < "a"))`,
    });
    expect(queryOf(requests[1]?.url).filter).toBe(
      `org = "${ORG}" && created >= "${query.from}" && created <= "${query.to}"`,
    );
  });

  test.each([
    ['a member in any case', 'Mona-1', [user(1)], [user(1), user(2)], `user_id = "${user(1).user}"`],
    [
      'members by a part of their login',
      'mona',
      [],
      [user(1), user(2)],
      `(user_id = "${user(1).user}" || user_id = "${user(2).user}")`,
    ],
    ['a member who never signed in', 'mona-1', [{ login: 'Mona-1' }], [user(2)], 'data.login = "Mona-1"'],
    ['a former member', 'gone"', [], [], 'data.login = "gone\\""'],
  ])('finds %s', async (_who, person, named, containing, filter) => {
    const { store, requests } = fakeRecordStore([
      { json: { items: named } },
      { json: { items: containing } },
    ]);
    const query = await resolveFilters(store, ORG, { ...LOG_FILTERS.none, person });
    expect(queryOf(requests[0]?.url).filter).toContain(
      `login:lower = ${JSON.stringify(person.toLowerCase())}`,
    );
    expect(storeFilter(store, query)).toBe(`org = "${ORG}" && ${filter}`);
  });

  test.each([
    ['a repository by its whole name', [{ id: 'a' }], '='],
    ['repositories by a part of their names', [], '~'],
  ])('finds %s, of one kind and on some days', async (_what, items, operator) => {
    const { store } = fakeRecordStore([{ json: { items } }]);
    const filters = { ...LOG_FILTERS.none, kind: 'vouch', repository: 'hello', from: '2026-05-04' } as const;
    const from = new Date('2026-05-04T00:00:00').toISOString().replace('T', ' ');
    expect(storeFilter(store, await resolveFilters(store, ORG, filters))).toBe(
      `org = "${ORG}" && activity = "vouch" && data.repo ${operator} "hello" && created >= "${from}"`,
    );
  });
});

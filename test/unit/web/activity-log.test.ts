import { describe, expect, test } from '@jest/globals';
import { activityKinds } from '../../../src/contract/activity.ts';
import { type Entry, readEntry } from '../../../web/src/features/organization/log/entry.ts';
import { entryPath, entryPull } from '../../../web/src/features/organization/log/entry-link.ts';
import { entryText, KIND_NAMES } from '../../../web/src/features/organization/log/entry-text.ts';
import { readFilters } from '../../../web/src/features/organization/log/filters.ts';
import {
  clockTime,
  exactLocalTime,
  fullDay,
  groupByDay,
} from '../../../web/src/features/organization/log/local-time.ts';
import {
  addNewer,
  addOlder,
  catchUp,
  firstPage,
} from '../../../web/src/features/organization/log/merge-entries.ts';
import { plainText } from '../../../web/src/features/organization/log/part.ts';
import {
  PAGE_SIZE,
  readNewer,
  readOlder,
  resolveFilters,
  storeFilter,
} from '../../../web/src/features/organization/log/read-log.ts';
import { fakeRecordStore } from './fake-record-store.ts';
import './restore-fetch.ts';

const ORG = 'org000000000001';
const SHA = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const approval = { repo: 'hello', pr: 7, sha: SHA };

function entry(id: string, at: string): Entry {
  return { id, at, kind: 'totpCollect', login: 'mona', avatar: '', data: {} };
}

/** Entries a minute apart, newest first; `newest` is the number and the minute of the first. */
const page = (count: number, newest = 1000) =>
  Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.UTC(2026, 4, 4, 0, newest - index)).toISOString().replace('T', ' ');
    return entry(`entry${newest - index}`, at);
  });

const queryOf = (url = '') => Object.fromEntries(new URL(url).searchParams);

describe('the text of a log entry', () => {
  test.each([
    [
      'webauthnCollect',
      { ...approval, type: 'passkey', label: 'Laptop' },
      'approved hello #7 at 6dcb09b5 with passkey “Laptop”',
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
      "removed mona's passkey “P”",
    ],
    ['memberAuthenticatorDelete', {}, "removed a member's authenticator"],
    [
      'forgedRecord',
      { collection: 'approvals' },
      'wrote a forged record to the database, which OTP Guard ignores: approvals',
    ],
    [
      'approvalWithdraw',
      { ...approval, login: 'octocat', user: 'mona', lostSince: '2026-11-20T09:14:00Z' },
      "withdrew mona's approval of hello #7 at 6dcb09b5, made with an authenticator that was lost or stolen since 2026-11-20 09:14:00 UTC",
    ],
    ['unapprovedMerge', { ...approval, login: 'mona' }, 'merged hello #7 at 6dcb09b5 without an approval'],
    ['constructor', {}, "did something that this page can't describe: constructor"],
  ] as const)('of kind %s with %o reads “%s”', (kind, data, text) => {
    expect(plainText(entryText({ kind, data }))).toBe(text);
  });
});

test('every kind of activity has a name in the filter of the log', () => {
  expect(Object.keys(KIND_NAMES).sort()).toEqual([...activityKinds].sort());
});

describe('the link of a log entry', () => {
  const organization = { name: 'octo-org', orgId: 9919, installationId: 77 };
  const query = 'owner=octo-org&ownerID=9919&installation=77';
  test.each([
    ['totpCollect', approval, `/commit?head=${SHA}&pr=7&repo=hello&${query}`],
    ['totpCollect', {}, null],
    ['authenticatorRename', {}, `/org/authenticators?${query}`],
    ['memberAuthenticatorDelete', {}, `/org/authenticators?${query}`],
    ['setOrgImage', {}, `/org/image?${query}`],
    ['unapprovedMerge', approval, null],
  ])('of kind %s with %o leads to %s', (kind, data, path) => {
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
    expect(readEntry({ ...raw, data: { user: 'older-mona' } }).login).toBe('older-mona');
  });

  test('is not the member whose authenticator an owner removed', () => {
    const data = { user: 'mona' };
    expect(readEntry({ ...raw, activity: 'memberAuthenticatorDelete', data }).login).toBe('');
  });
});

describe('the times of the log', () => {
  const reader = { locale: 'en-GB', timeZone: 'Asia/Tokyo' };
  test('are in the time zone of the reader', () => {
    const late = '2026-05-04 16:30:00.000Z';
    expect(fullDay(late, reader)).toMatch(/^Tuesday,? 5 May 2026$/);
    expect(clockTime(late, reader)).toBe('01:30');
    expect(exactLocalTime(late, reader)).toContain('GMT+9');
  });

  test('group the entries by day, in their order', () => {
    const entries = [
      entry('c', '2026-05-04 16:30:00.000Z'),
      entry('b', '2026-05-04 14:30:00.000Z'),
      entry('a', '2026-05-04 01:00:00.000Z'),
    ];
    expect(
      groupByDay(entries, reader).map(({ heading, items }) => [heading, items.map(({ id }) => id)]),
    ).toEqual([
      [expect.stringContaining('5 May 2026'), ['c']],
      [expect.stringContaining('4 May 2026'), ['b', 'a']],
    ]);
    expect(groupByDay([], reader)).toEqual([]);
  });
});

describe('the loaded part of the log', () => {
  test('may have older entries if its last page was full', () => {
    expect(firstPage(page(PAGE_SIZE)).hasOlder).toBe(true);
    expect(firstPage(page(PAGE_SIZE - 1)).hasOlder).toBe(false);
    const log = addOlder(firstPage(page(PAGE_SIZE)), page(3, 1000 - PAGE_SIZE));
    expect(log).toMatchObject({ hasOlder: false });
  });

  test('has each entry once, newest first, in any order of arrival', () => {
    const log = firstPage(page(2));
    const grown = addNewer(addNewer(log, page(1, 1001)), page(2, 1001));
    expect(grown.entries.map(({ id }) => id)).toEqual(['entry1001', 'entry1000', 'entry999']);
    expect(addNewer(log, page(2)).entries).toBe(log.entries);
  });

  test('gains the entries that were added while the connection was down', () => {
    const log = firstPage(page(PAGE_SIZE));
    expect(catchUp(log, page(3, 1002)).entries).toHaveLength(PAGE_SIZE + 2);
    expect(catchUp(log, page(PAGE_SIZE, 1010)).entries).toHaveLength(PAGE_SIZE + 10);
  });

  test('starts over if entries between the old and the new ones may be missing', () => {
    const caughtUp = catchUp(firstPage(page(2)), page(PAGE_SIZE, 5000));
    expect(caughtUp).toEqual({ entries: page(PAGE_SIZE, 5000), hasOlder: true });
  });
});

describe('the filters of the log', () => {
  test.each([
    ['', { person: '', kind: '' }],
    ['?person=mona&kind=totpCollect', { person: 'mona', kind: 'totpCollect' }],
    ['?person=%20@mona%20', { person: 'mona', kind: '' }],
    ['?person=mo%5Cna%0A', { person: 'mona', kind: '' }],
    ['?kind=constructor', { person: '', kind: '' }],
  ])('in the query %j are %j', (search, filters) => {
    expect(readFilters(search)).toEqual(filters);
  });
});

describe('reading the log', () => {
  const all = { org: ORG, kind: '', by: null } as const;

  test('continues after the last entry instead of at a page number', async () => {
    const { store, requests } = fakeRecordStore([{ json: { items: [] } }, { json: { items: [] } }]);
    await readOlder(store, all, { at: '2026-05-04 12:00:00.000Z', id: 'a' });
    await readNewer(store, all, '2026-05-04 12:00:00.000Z');
    expect(queryOf(requests[0]?.url)).toMatchObject({
      page: '1',
      filter: `org = "${ORG}" && (created < "2026-05-04 12:00:00.000Z" || (created = "2026-05-04 12:00:00.000Z" && id < "a"))`,
    });
    expect(queryOf(requests[1]?.url).filter).toBe(`org = "${ORG}" && created >= "2026-05-04 12:00:00.000Z"`);
  });

  test('finds a member by login in any case, and their entries by their record id', async () => {
    const { store, requests } = fakeRecordStore([
      { json: { items: [{ user: 'user00000000001', login: 'mona' }] } },
    ]);
    const query = await resolveFilters(store, ORG, { person: 'Mona', kind: 'totpCollect' });
    expect(queryOf(requests[0]?.url)).toMatchObject({
      filter: `org = "${ORG}" && login:lower = "mona"`,
      fields: 'user,login',
    });
    expect(storeFilter(store, query)).toBe(
      `org = "${ORG}" && activity = "totpCollect" && user_id = "user00000000001"`,
    );
  });

  test('finds the entries of a former member by the login in the entry', async () => {
    const { store } = fakeRecordStore([{ json: { items: [] } }]);
    const query = await resolveFilters(store, ORG, { person: 'gone"', kind: '' });
    expect(storeFilter(store, query)).toBe(`org = "${ORG}" && data.login = "gone\\""`);
  });
});

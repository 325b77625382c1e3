import { afterEach, describe, expect, test } from '@jest/globals';
import { activityKinds } from '../../../src/contract/activity.ts';
import {
  clockTime,
  dayHeading,
  exactLocalTime,
  groupByDay,
} from '../../../web/src/features/organization/log/days.ts';
import { type Entry, readEntry } from '../../../web/src/features/organization/log/entry.ts';
import { entryPath, entryPull } from '../../../web/src/features/organization/log/entry-path.ts';
import { addNewer, addOlder, catchUp, firstPage } from '../../../web/src/features/organization/log/log.ts';
import { readLogFilter } from '../../../web/src/features/organization/log/log-filter.ts';
import {
  LOG_PAGE,
  readNewer,
  readOlder,
  resolveFilter,
  wantedFilter,
} from '../../../web/src/features/organization/log/read-log.ts';
import { KIND_NAMES, plain, sentence } from '../../../web/src/features/organization/log/sentence.ts';
import { fakeRecordStore } from './fake-record-store.ts';

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

const ORG = 'org000000000001';
const SHA = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const approval = { repo: 'hello', pr: 7, sha: SHA };

function entry(id: string, at: string): Entry {
  return { id, at, kind: 'totpCollect', login: 'mona', avatar: '', data: {} };
}

/** So many entries, the newest first, from a number of minutes into the day on backwards. */
const page = (count: number, from = 1000) =>
  Array.from({ length: count }, (_, place) => {
    const at = new Date(Date.UTC(2026, 4, 4, 0, from - place)).toISOString().replace('T', ' ');
    return entry(`entry${from - place}`, at);
  });

const queryOf = (url = '') => Object.fromEntries(new URL(url).searchParams);

describe('the sentence of an entry', () => {
  test.each([
    [
      'webauthnCollect',
      { ...approval, type: 'passkey', label: 'Laptop' },
      'approved hello #7 at 6dcb09b5 with passkey “Laptop”',
    ],
    ['webauthnCollect', {}, 'approved a pull request with an authenticator'],
    ['totpCollect', { ...approval, label: 'totp' }, 'approved hello #7 at 6dcb09b5 with a one-time code'],
    ['webauthnRegister', { type: 'security-key' }, 'registered a security key'],
    ['authenticatorDelete', { type: 'totp', label: 'mona@octo-org/github' }, 'deleted a one-time code app'],
    [
      'memberAuthenticatorDelete',
      { type: 'passkey', label: 'Phone', user: 'mona' },
      "removed mona's passkey “Phone”",
    ],
    ['memberAuthenticatorDelete', {}, "removed a member's authenticator"],
    ['unapprovedMerge', { ...approval, login: 'mona' }, 'merged hello #7 at 6dcb09b5 without an approval'],
    ['constructor', {}, 'did something that this page has no words for: constructor'],
  ] as const)('%s %o', (kind, data, text) => {
    expect(plain(sentence({ kind, data }))).toBe(text);
  });
});

test('every kind of activity has a name in the filter', () => {
  expect(Object.keys(KIND_NAMES).sort()).toEqual([...activityKinds].sort());
});

describe('the link of an entry', () => {
  const organization = { name: 'octo-org', orgId: 9919, installationId: 77 };
  const about = 'owner=octo-org&ownerID=9919&installation=77';
  test.each([
    ['totpCollect', approval, `/commit?head=${SHA}&pr=7&repo=hello&${about}`],
    ['totpCollect', {}, null],
    ['memberAuthenticatorDelete', {}, `/org/authenticators?${about}`],
    ['setOrgImage', {}, `/org/image?${about}`],
    ['unapprovedMerge', approval, null],
  ])('%s %o leads to %s', (kind, data, path) => {
    expect(entryPath({ kind, data }, organization)).toBe(path);
  });

  test('leads to the pull request on GitHub after an unapproved merge alone', () => {
    const pull = (kind: string) => entryPull({ kind, data: approval }, organization);
    expect(pull('unapprovedMerge')).toEqual({ owner: 'octo-org', repo: 'hello', pr: '7' });
    expect(pull('totpCollect')).toBeNull();
  });
});

describe('readEntry', () => {
  const raw = { id: 'a', created: '2026-05-04 12:00:00.000Z', activity: 'totpCollect' };
  test('prefers the login of now, then the one of then', () => {
    const expand = { user_id: { username: 'mona', avatar: 'https://example.org/mona.png' } };
    expect(readEntry({ ...raw, data: { login: 'old-mona' }, expand })).toMatchObject({
      login: 'mona',
      avatar: 'https://example.org/mona.png',
    });
    expect(readEntry({ ...raw, data: { login: 'old-mona' } }).login).toBe('old-mona');
    expect(readEntry({ ...raw, data: { user: 'older-mona' } }).login).toBe('older-mona');
  });

  test('does not name the member whose authenticator an owner removed as the person who did it', () => {
    expect(readEntry({ ...raw, activity: 'memberAuthenticatorDelete', data: { user: 'mona' } }).login).toBe(
      '',
    );
  });
});

describe('days', () => {
  const reader = { locale: 'en-GB', timeZone: 'Asia/Tokyo' };
  test('are those of where the person is', () => {
    const late = '2026-05-04 16:30:00.000Z';
    expect(dayHeading(late, reader)).toMatch(/^Tuesday,? 5 May 2026$/);
    expect(clockTime(late, reader)).toBe('01:30');
    expect(exactLocalTime(late, reader)).toContain('GMT+9');
  });

  test('group the entries in their order', () => {
    const entries = [
      entry('c', '2026-05-04 16:30:00.000Z'),
      entry('b', '2026-05-04 14:30:00.000Z'),
      entry('a', '2026-05-04 01:00:00.000Z'),
    ];
    expect(
      groupByDay(entries, reader).map(({ heading, entries }) => [heading, entries.map(({ id }) => id)]),
    ).toEqual([
      [expect.stringContaining('5 May 2026'), ['c']],
      [expect.stringContaining('4 May 2026'), ['b', 'a']],
    ]);
    expect(groupByDay([], reader)).toEqual([]);
  });
});

describe('the log', () => {
  test('has older entries when a page is full', () => {
    expect(firstPage(page(LOG_PAGE)).older).toBe(true);
    expect(firstPage(page(LOG_PAGE - 1)).older).toBe(false);
    expect(addOlder(firstPage(page(LOG_PAGE)), page(3, 1000 - LOG_PAGE))).toMatchObject({ older: false });
  });

  test('shows each entry once, the newest first, however they come', () => {
    const log = firstPage(page(2));
    const grown = addNewer(addNewer(log, page(1, 1001)), page(2, 1001));
    expect(grown.entries.map(({ id }) => id)).toEqual(['entry1001', 'entry1000', 'entry999']);
    expect(addNewer(log, page(2)).entries).toBe(log.entries);
  });

  test('takes in what was added while the connection was down', () => {
    const log = firstPage(page(LOG_PAGE));
    expect(catchUp(log, page(3, 1002)).entries).toHaveLength(LOG_PAGE + 2);
    expect(catchUp(log, page(LOG_PAGE, 1010)).entries).toHaveLength(LOG_PAGE + 10);
  });

  test('starts over when entries may be missing between the old and the new', () => {
    const caughtUp = catchUp(firstPage(page(2)), page(LOG_PAGE, 5000));
    expect(caughtUp).toEqual({ entries: page(LOG_PAGE, 5000), older: true });
  });
});

describe('the filter in the address', () => {
  test.each([
    ['', { person: '', kind: '' }],
    ['?person=mona&kind=totpCollect', { person: 'mona', kind: 'totpCollect' }],
    ['?person=%20@mona%20', { person: 'mona', kind: '' }],
    ['?kind=constructor', { person: '', kind: '' }],
  ])('%s', (search, filter) => {
    expect(readLogFilter(search)).toEqual(filter);
  });
});

describe('reading', () => {
  const all = { org: ORG, kind: '', by: null } as const;

  test('goes on from a place, not from a number', async () => {
    const { store, asked } = fakeRecordStore([{ json: { items: [] } }, { json: { items: [] } }]);
    await readOlder(store, all, { at: '2026-05-04 12:00:00.000Z', id: 'a' });
    await readNewer(store, all, '2026-05-04 12:00:00.000Z');
    expect(queryOf(asked[0]?.url)).toMatchObject({
      page: '1',
      filter: `org = "${ORG}" && (created < "2026-05-04 12:00:00.000Z" || (created = "2026-05-04 12:00:00.000Z" && id < "a"))`,
    });
    expect(queryOf(asked[1]?.url).filter).toBe(`org = "${ORG}" && created >= "2026-05-04 12:00:00.000Z"`);
  });

  test('finds a member by name, in any case, and then what they did by their record', async () => {
    const { store, asked } = fakeRecordStore([
      { json: { items: [{ user: 'user00000000001', login: 'mona' }] } },
    ]);
    const wanted = await resolveFilter(store, ORG, { person: 'Mona', kind: 'totpCollect' });
    expect(queryOf(asked[0]?.url)).toMatchObject({
      filter: `org = "${ORG}" && login:lower = "mona"`,
      fields: 'user,login',
    });
    expect(wantedFilter(store, wanted)).toBe(
      `org = "${ORG}" && activity = "totpCollect" && user_id = "user00000000001"`,
    );
  });

  test('finds what a former member did by the login in the entry', async () => {
    const { store } = fakeRecordStore([{ json: { items: [] } }]);
    const wanted = await resolveFilter(store, ORG, { person: 'gone"', kind: '' });
    expect(wantedFilter(store, wanted)).toBe(`org = "${ORG}" && data.login = "gone\\""`);
  });
});

import { describe, expect, test } from '@jest/globals';
import {
  addPage,
  mergeNewest,
  NO_PAGES,
  type ReadPages,
} from '../../../web/src/features/organization/authenticators/merge-collections.ts';
import {
  coverageText,
  memberFacts,
  membersAtRiskText,
  membersText,
  yourAuthenticatorsText,
} from '../../../web/src/features/organization/home/home-texts.ts';
import { readAuthenticator } from '../../../web/src/lib/authenticator.ts';
import { listOrganizationAuthenticators } from '../../../web/src/lib/authenticator-records.ts';
import { fakeRecordStore } from './fake-record-store.ts';
import './restore-fetch.ts';

test.each([
  [{ total: 40, enrolled: 38 }, '38 of 40 members have an authenticator.'],
  [{ total: 40, enrolled: 1 }, '1 of 40 members has an authenticator.'],
  [{ total: 40, enrolled: 40 }, 'All 40 members have an authenticator.'],
  [{ total: 1, enrolled: 1 }, 'The only member has an authenticator.'],
  [{ total: 0, enrolled: 0 }, 'GitHub lists no members.'],
])('with the members %o the organization’s home says “%s”', (members, text) => {
  expect(membersText(members)).toBe(text);
});

test.each([
  [{ one: 0, pending: 0 }, ''],
  [{ one: 1, pending: 0 }, '1 has only one: losing it locks them out.'],
  [
    { one: 3, pending: 2 },
    '3 have only one: losing it locks them out. 2 have one that waits for confirmation.',
  ],
])('with %o an owner reads “%s”', (members, text) => {
  expect(membersAtRiskText(members)).toBe(text);
});

test('an owner reads how many authenticators a member has, what waits and the address they enrolled with', () => {
  const member = {
    ...{ id: 7, login: 'mona', enrolled: true, signedIn: true, hasAddress: true },
    ...{ kinds: { passkey: 2, securityKey: 0, totp: 0 }, lastApproval: null, reminded: null },
  };
  const owner = {
    ...member,
    role: 'admin',
    authenticators: 2,
    pending: true,
    address: 'mona@example.org',
  } as const;
  expect(memberFacts(owner)).toEqual([
    'Owner',
    '2 authenticators',
    '1 waits for confirmation',
    'mona@example.org',
  ]);
  const newcomer = { ...member, role: 'member', authenticators: 0, pending: false, address: '' } as const;
  expect(memberFacts(newcomer)).toEqual(['No authenticator']);
});

test.each([
  [false, 0, null],
  [true, 0, 'You have an authenticator app here.'],
  [true, 2, 'You have 2 passkeys or security keys and an authenticator app here.'],
])('with an authenticator app (%s) and %i keys the organization’s home says “%s”', (totp, keys, text) => {
  expect(yourAuthenticatorsText({ totp, webauthn: Array.from({ length: keys }, () => ({ id: 'a' })) })).toBe(
    text,
  );
});

test('the organization’s home says that a suspended installation checks no pull requests', () => {
  const installation = { id: 1, settingsUrl: '', repositorySelection: 'all' as const, suspended: true };
  expect(coverageText(installation)).toContain("doesn't check any pull requests");
});

describe('an organization’s authenticators', () => {
  test('are read by its record id, in pages of 20 of one collection', async () => {
    const { store, requests } = fakeRecordStore([{ json: { items: [] } }, { json: { items: [] } }]);
    await listOrganizationAuthenticators(store, 'webauthn', 'org000000000001', 1);
    await listOrganizationAuthenticators(store, 'totps', 'org000000000001', 2);
    expect(requests.map(({ url }) => Object.fromEntries(new URL(url).searchParams))).toMatchObject([
      { page: '1', perPage: '20', filter: 'org = "org000000000001"', sort: '-created,-id' },
      { page: '2', perPage: '20', filter: 'org_id = "org000000000001"', sort: '-created,-id' },
    ]);
  });

  const keys = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, index) =>
      readAuthenticator('webauthn', {
        type: 'passkey',
        id: `key${from - index}`,
        created: `2026-05-04 12:00:${from - index}.000Z`,
      }),
    );
  const code = (second: number) =>
    readAuthenticator('totps', { id: `code${second}`, created: `2026-05-04 12:00:${second}.000Z` });
  const ids = (collections: ReadPages[]) => mergeNewest(collections).map(({ id }) => id);

  test('are one list, newest first', () => {
    const collections = [addPage(NO_PAGES, keys(59, 58)), addPage(NO_PAGES, [code(59), code(10)])];
    expect(ids(collections)).toEqual(['key59', 'code59', 'key58', 'code10']);
  });

  test('are held back while the next page may come before them', () => {
    const first = addPage(NO_PAGES, keys(59, 40));
    const codes = addPage(NO_PAGES, [code(45), code(30)]);
    expect(first.hasMore).toBe(true);
    expect(ids([first, codes])).not.toContain('code30');
    const second = addPage(first, keys(39, 35));
    expect(second).toMatchObject({ pages: 2, hasMore: false });
    expect(ids([second, codes]).at(-1)).toBe('code30');
    // Nothing on the screen has moved.
    expect(ids([second, codes]).slice(0, 21)).toEqual(ids([first, codes]));
  });
});

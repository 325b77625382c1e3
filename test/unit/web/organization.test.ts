import { afterEach, describe, expect, test } from '@jest/globals';
import {
  addPage,
  NOTHING_READ,
  newestOf,
  type Read,
} from '../../../web/src/features/organization/authenticators/newest-pages.ts';
import {
  membersSentence,
  ownSentence,
  protectionSentence,
} from '../../../web/src/features/organization/home/words.ts';
import { listAuthenticatorsOf, readAuthenticator } from '../../../web/src/lib/authenticator-records.ts';
import { fakeRecordStore } from './fake-record-store.ts';

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

test.each([
  [{ total: 40, enrolled: 38 }, '38 of 40 members have an authenticator'],
  [{ total: 40, enrolled: 1 }, '1 of 40 members has an authenticator'],
  [{ total: 40, enrolled: 40 }, 'All 40 members have an authenticator'],
  [{ total: 1, enrolled: 1 }, 'The one member has an authenticator'],
  [{ total: 0, enrolled: 0 }, 'GitHub names no members.'],
])('the members of %o are summed up', (members, text) => {
  expect(membersSentence(members)).toBe(text);
});

test.each([
  [false, 0, null],
  [true, 0, 'You have a one-time code app here.'],
  [true, 2, 'You have 2 passkeys or security keys and a one-time code app here.'],
])('a code app (%s) and %i keys are summed up', (totp, keys, text) => {
  expect(ownSentence({ totp, webauthn: Array.from({ length: keys }, () => ({ id: 'a' })) })).toBe(text);
});

test('a suspended installation is said to check no pull request', () => {
  const installation = { id: 1, settingsUrl: '', repositorySelection: 'all' as const, suspended: true };
  expect(protectionSentence(installation)).toContain('no pull request is checked');
});

describe('an organization’s authenticators', () => {
  test('are asked for by its record, a page of 20 of one collection', async () => {
    const { store, asked } = fakeRecordStore([{ json: { items: [] } }, { json: { items: [] } }]);
    await listAuthenticatorsOf(store, 'webauthn', 'org000000000001', 1);
    await listAuthenticatorsOf(store, 'totps', 'org000000000001', 2);
    expect(asked.map(({ url }) => Object.fromEntries(new URL(url).searchParams))).toMatchObject([
      { page: '1', perPage: '20', filter: 'org = "org000000000001"', sort: '-created,-id' },
      { page: '2', perPage: '20', filter: 'org_id = "org000000000001"', sort: '-created,-id' },
    ]);
  });

  const keys = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, at) =>
      readAuthenticator('webauthn', { id: `key${from - at}`, created: `2026-05-04 12:00:${from - at}.000Z` }),
    );
  const code = (second: number) =>
    readAuthenticator('totps', { id: `code${second}`, created: `2026-05-04 12:00:${second}.000Z` });
  const ids = (reads: Read[]) => newestOf(reads).map(({ id }) => id);

  test('are one list, newest first', () => {
    const reads = [addPage(NOTHING_READ, keys(59, 58)), addPage(NOTHING_READ, [code(60 - 1), code(10)])];
    expect(ids(reads)).toEqual(['key59', 'code59', 'key58', 'code10']);
  });

  test('wait where the next page may put something before them', () => {
    const first = addPage(NOTHING_READ, keys(59, 40));
    const codes = addPage(NOTHING_READ, [code(45), code(30)]);
    expect(first.more).toBe(true);
    expect(ids([first, codes])).not.toContain('code30');
    const second = addPage(first, keys(39, 35));
    expect(second).toMatchObject({ page: 2, more: false });
    expect(ids([second, codes]).at(-1)).toBe('code30');
    // What was shown stands where it stood.
    expect(ids([second, codes]).slice(0, 21)).toEqual(ids([first, codes]));
  });
});

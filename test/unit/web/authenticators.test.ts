import { describe, expect, test } from '@jest/globals';
import { readAddress } from '../../../web/src/features/authenticators/authenticator-page.tsx';
import { organizationsWithOne } from '../../../web/src/features/authenticators/authenticators-page.tsx';
import { lossText, lostSinceOf } from '../../../web/src/features/authenticators/removal-reason.tsx';
import { removeAuthenticator } from '../../../web/src/features/authenticators/use-removal.ts';
import { readUser } from '../../../web/src/lib/session/user.ts';
import { listOwnAuthenticators, readAuthenticator } from '../../../web/src/lib/signing/authenticator.ts';
import { enrolledText } from '../../../web/src/lib/signing/enrolment.ts';
import { fakeRecordStore } from './fixtures.ts';

const key = {
  id: 'key000000000000',
  type: 'security-key',
  label: 'Blue key',
  key_id: 'credential',
  user: 'user00000000001',
  created: '2026-11-20 09:14:03.123Z',
  last_used: '',
  model: 'Some model',
  backup_eligible: false,
  backed_up: false,
  expand: { org: { org_id: 9919, name: 'octo-org' }, user: { username: 'mona' } },
};
/** The handle of the person in octo-org, which every authenticator of theirs keeps: it never changes. */
const HANDLE = 'hwuoUNdVZE3YiWx8z6CNy8ab_ZG6YVANCp4N2DZA150';

function withGlobals(values: Record<string, unknown>): () => void {
  Object.assign(globalThis, values);
  return () => {
    for (const name of Object.keys(values)) Reflect.deleteProperty(globalThis, name);
  };
}

const totp = {
  id: 'totp00000000000',
  label: 'mona@octo-org/github',
  user_id: 'user00000000001',
  created: '2026-11-21 09:14:03.123Z',
  expand: { org_id: { org_id: 9919, name: 'octo-org' } },
};

describe('readAuthenticator', () => {
  test('reads a security key with its holder, its model and whether it is synced', () => {
    expect(readAuthenticator('webauthn', key)).toEqual({
      id: 'key000000000000',
      type: 'security-key',
      pending: '',
      enrolled: '',
      addedWith: null,
      label: 'Blue key',
      created: '2026-11-20 09:14:03.123Z',
      lastUsed: '',
      model: 'Some model',
      synced: false,
      userId: 'user00000000001',
      username: 'mona',
      org: { orgId: '9919', name: 'octo-org' },
    });
  });

  test.each([
    [true, true, true],
    [true, false, false],
    [false, false, false],
  ])('with backup_eligible %s and backed_up %s, synced is %s', (backup_eligible, backed_up, synced) => {
    expect(readAuthenticator('webauthn', { ...key, backup_eligible, backed_up }).synced).toBe(synced);
  });
});

test('readAuthenticator refuses a kind that the page does not know', () => {
  expect(() => readAuthenticator('webauthn', { ...key, type: 'smart-card' })).toThrow('Reload this page');
});

describe('listOwnAuthenticators', () => {
  test('requests the first 20 of each collection for one person and sorts them newest first', async () => {
    const { store, requests } = fakeRecordStore([{ json: { items: [key] } }, { json: { items: [totp] } }]);
    const found = await listOwnAuthenticators(store, 'user00000000001');
    expect(found.map(({ id }) => id)).toEqual(['totp00000000000', 'key000000000000']);
    expect(requests.map(({ url }) => Object.fromEntries(new URL(url).searchParams))).toMatchObject([
      { perPage: '20', filter: 'user = "user00000000001"', sort: '-created,-id' },
      { perPage: '20', filter: 'user_id = "user00000000001"', sort: '-created,-id' },
    ]);
  });
});

describe('readAddress', () => {
  test.each([
    ['passkey', 'abcdefghijklmno', { type: 'passkey', id: 'abcdefghijklmno' }],
    ['password', 'abcdefghijklmno', { invalid: 'invalid authenticator type' }],
    ['totp', undefined, { invalid: 'invalid authenticator id' }],
    ['totp', '../../gh_users', { invalid: 'invalid authenticator id' }],
  ])('reads /authenticator/%s/%s as %j', (type, id, address) => {
    expect(readAddress(type, id)).toEqual(address);
  });
});

describe('lostSinceOf', () => {
  test.each([
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
    ['2026-11-19T10:00:00Z', '2026-11-20T09:14:03.123Z'],
    ['', '2026-11-20T09:14:03.123Z'],
  ])('takes %j as %s, never before the authenticator was added', (entered, since) => {
    expect(lostSinceOf(entered, '2026-11-20 09:14:03.123Z')).toBe(since);
  });
});

test.each([
  [0, 0, 0, true, 'No approval was made with it, so none is withdrawn.'],
  [0, 0, 0, false, 'No approval was made with it since then, so none is withdrawn.'],
  [1, 0, 1, true, 'This withdraws 1 approval made with it. 1 open pull request loses an approval.'],
  [
    2,
    0,
    0,
    false,
    'This withdraws 2 approvals made with it since then. No open pull request loses an approval.',
  ],
  [1200, 0, 6, true, 'This withdraws 1,200 approvals made with it. 6 open pull requests lose an approval.'],
  [
    0,
    1,
    0,
    true,
    'This withdraws 0 approvals and 1 denial or rejection made with it. No open pull request loses an approval.',
  ],
  [
    1,
    2,
    1,
    true,
    'This withdraws 1 approval and 2 denials or rejections made with it. 1 open pull request loses an approval.',
  ],
])('a loss of %d approvals, %d others, in %d open pull requests, of all: %s, reads %j', (...loss) => {
  const [approvals, others, openPulls, isAll, text] = loss;
  expect(lossText({ approvals, others, openPulls }, isAll)).toBe(text);
});

describe('removeAuthenticator', () => {
  const org = { orgId: '9919', name: 'octo-org' };
  const signedIn = (fresh: 'yes' | 'failed') => () => ({
    ...{ status: 'signed-in' as const, fresh },
    user: readUser({
      id: 'user00000000001',
      authenticators: { 9919: { totp: false, webauthn: [{ id: 'left' }], pending: { id: 'waiting' } } },
    }),
  });
  const getState = signedIn('yes');
  const stepUp = { type: 'delete-authenticator' as const, authenticatorID: totp.id, otp: '123456' };

  test('does not refresh the session after an owner removes another person’s authenticator', async () => {
    const calls: string[] = [];
    await removeAuthenticator(
      {
        api: { remove: async (path) => void calls.push(path) },
        session: {
          accessToken: () => 'ghu_token',
          refresh: async () => void calls.push('refresh'),
          getState,
        },
      },
      { id: key.id, type: 'passkey', org },
      { isOwn: false, stepUp, lostSince: null },
    );
    expect(calls).toEqual([`/api/collections/webauthn/records/${key.id}`]);
  });

  test.each([
    ['yes', [{ rpId: 'guard.example.org', userId: HANDLE, allAcceptedCredentialIds: ['left', 'waiting'] }]],
    ['failed', []],
  ] as const)(
    'tells the browser which ones are left, if the session was refreshed: %s',
    async (fresh, told) => {
      const signalled: object[] = [];
      const undo = withGlobals({
        window: { location: { hostname: 'guard.example.org' } },
        PublicKeyCredential: {
          signalAllAcceptedCredentials: async (accepted: object) => void signalled.push(accepted),
        },
      });
      const session = { accessToken: () => 'ghu_token', refresh: async () => {}, getState: signedIn(fresh) };
      await removeAuthenticator(
        { api: { remove: async () => {} }, session },
        { id: key.id, type: 'passkey', org },
        { isOwn: true, stepUp, lostSince: null },
      );
      undo();
      expect(signalled).toEqual(told);
    },
  );
});

test.each([
  ['', 'vouched', 'Vouched for'],
  ['', 'open', 'Began with a GitHub sign\u2011in'],
  ['', 'email', 'Began with a company address'],
  ['vouch', '', 'Waits for a vouch'],
  ['device', '', 'Waits for your confirmation'],
] as const)('one with pending “%s” and enrolled “%s” is shown as “%s”', (pending, enrolled, text) => {
  expect(enrolledText(readAuthenticator('totps', { ...totp, pending, enrolled }), totp.user_id)).toBe(text);
});

test('an authenticator that was added with another one is shown with it, and with how that one began', () => {
  const added = readAuthenticator('totps', { ...totp, added_with: 'passkey', enrolled: 'open' });
  const shown = [added.userId, 'another'].map((reader) => enrolledText(added, reader));
  expect(shown).toEqual([
    'Added with your passkey, which began with a GitHub sign-in',
    'Added with their passkey, which began with a GitHub sign-in',
  ]);
});

test('a reminder names the organizations in which exactly one authenticator counts', () => {
  const of = (name: string, pending: '' | 'vouch' = '') => ({ org: { orgId: '1', name }, pending });
  const own = [of('two'), of('two'), of('one'), of('one', 'vouch'), of('none', 'vouch'), of('another')];
  expect(organizationsWithOne(own)).toEqual(['another', 'one']);
});

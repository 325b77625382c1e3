import { afterEach, describe, expect, test } from '@jest/globals';
import { readAddress } from '../../../web/src/features/authenticators/read-address.ts';
import { removeAuthenticator } from '../../../web/src/features/authenticators/remove.ts';
import { listAuthenticators, readAuthenticator } from '../../../web/src/lib/authenticator-records.ts';
import { fakeRecordStore } from './fake-record-store.ts';

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

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
const totp = {
  id: 'totp00000000000',
  label: 'mona@octo-org/github',
  user_id: 'user00000000001',
  created: '2026-11-21 09:14:03.123Z',
  expand: { org_id: { org_id: 9919, name: 'octo-org' } },
};

describe('readAuthenticator', () => {
  test('reads a key with its model and where it is stored', () => {
    expect(readAuthenticator('webauthn', key)).toEqual({
      id: 'key000000000000',
      type: 'security-key',
      label: 'Blue key',
      created: '2026-11-20 09:14:03.123Z',
      lastUsed: '',
      model: 'Some model',
      synced: false,
      keyId: 'credential',
      userId: 'user00000000001',
      username: 'mona',
      org: { orgId: '9919', name: 'octo-org' },
    });
  });

  test.each([
    [true, true, true],
    [true, false, false],
    [false, false, false],
  ])('eligible for a backup %s, backed up %s: synced %s', (backup_eligible, backed_up, synced) => {
    expect(readAuthenticator('webauthn', { ...key, backup_eligible, backed_up }).synced).toBe(synced);
  });
});

describe('listAuthenticators', () => {
  test('asks for the person’s own of both kinds, 20 each, and puts the newest first', async () => {
    const { store, asked } = fakeRecordStore([{ json: { items: [key] } }, { json: { items: [totp] } }]);
    const found = await listAuthenticators(store, 'user00000000001');
    expect(found.map(({ id }) => id)).toEqual(['totp00000000000', 'key000000000000']);
    expect(asked.map(({ url }) => Object.fromEntries(new URL(url).searchParams))).toMatchObject([
      { perPage: '20', filter: 'user = "user00000000001"', sort: '-created,-id' },
      { perPage: '20', filter: 'user_id = "user00000000001"', sort: '-created,-id' },
    ]);
  });
});

describe('the address of an authenticator', () => {
  test.each([
    ['passkey', 'abcdefghijklmno', { type: 'passkey', id: 'abcdefghijklmno' }],
    ['password', 'abcdefghijklmno', { invalid: 'invalid authenticator type' }],
    ['totp', undefined, { invalid: 'invalid authenticator id' }],
    ['totp', '../../gh_users', { invalid: 'invalid authenticator id' }],
  ])('/authenticator/%s/%s', (type, id, address) => {
    expect(readAddress(type, id)).toEqual(address);
  });
});

describe('removeAuthenticator', () => {
  const stepUp = { type: 'delete-authenticator' as const, authenticatorID: totp.id, otp: '123456' };

  test('does not refresh the session after the removal of somebody else’s authenticator', async () => {
    const done: string[] = [];
    await removeAuthenticator(
      {
        api: { remove: async (path) => void done.push(path) },
        session: { accessToken: () => 'ghu_token', refresh: async () => void done.push('refresh') },
      },
      { id: key.id, type: 'passkey', keyId: 'credential' },
      { isOwn: false, stepUp },
    );
    expect(done).toEqual([`/api/collections/webauthn/records/${key.id}`]);
  });
});

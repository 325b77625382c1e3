import { afterEach, describe, expect, test } from '@jest/globals';
import { readAddress } from '../../../web/src/features/authenticators/read-address.ts';
import { removeAuthenticator } from '../../../web/src/features/authenticators/remove.ts';
import {
  getAuthenticator,
  listAuthenticators,
  readAuthenticator,
} from '../../../web/src/lib/authenticator-records.ts';
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

  test('shows a code as totp, whatever its label', () => {
    expect(readAuthenticator('totps', totp)).toMatchObject({ type: 'totp', label: 'totp', synced: null });
  });

  test('survives a record with nothing in it', () => {
    expect(readAuthenticator('webauthn', {})).toMatchObject({
      label: '',
      username: '',
      org: { orgId: '', name: '' },
    });
  });
});

describe('listAuthenticators', () => {
  test('asks for the person’s own of both kinds, 20 each, and puts the newest first', async () => {
    const { store, asked } = fakeRecordStore([{ json: { items: [key] } }, { json: { items: [totp] } }]);
    const found = await listAuthenticators(store, 'user00000000001');
    expect(found.map(({ id }) => id)).toEqual(['totp00000000000', 'key000000000000']);
    const queries = asked.map(({ url }) => Object.fromEntries(new URL(url).searchParams));
    expect(queries).toEqual([
      {
        page: '1',
        perPage: '20',
        filter: 'user = "user00000000001"',
        sort: '-created,-id',
        expand: 'user,org',
        skipTotal: 'true',
      },
      {
        page: '1',
        perPage: '20',
        filter: 'user_id = "user00000000001"',
        sort: '-created,-id',
        expand: 'user_id,org_id',
        skipTotal: 'true',
      },
    ]);
  });
});

test('getAuthenticator looks for a code among the codes', async () => {
  const { store, asked } = fakeRecordStore([{ json: totp }]);
  expect(await getAuthenticator(store, 'totp', totp.id)).toMatchObject({ type: 'totp' });
  expect(new URL(asked[0]?.url ?? '').pathname).toBe(`/api/collections/totps/records/${totp.id}`);
});

describe('readAddress', () => {
  test.each([
    ['passkey', 'abcdefghijklmno', { type: 'passkey', id: 'abcdefghijklmno' }],
    ['password', 'abcdefghijklmno', { invalid: 'invalid authenticator type' }],
    [undefined, undefined, { invalid: 'invalid authenticator type' }],
    ['totp', undefined, { invalid: 'invalid authenticator id' }],
    ['totp', '../../gh_users', { invalid: 'invalid authenticator id' }],
  ])('/authenticator/%s/%s', (type, id, address) => {
    expect(readAddress(type, id)).toEqual(address);
  });
});

describe('removeAuthenticator', () => {
  const stepUp = { type: 'delete-authenticator' as const, authenticatorID: totp.id, otp: '123456' };

  test('sends the proof by the guarded route, then has the session follow', async () => {
    const done: unknown[] = [];
    await removeAuthenticator(
      {
        api: { remove: async (path, headers) => void done.push([path, headers]) },
        session: { accessToken: () => 'ghu_token', refresh: async () => void done.push('refresh') },
      },
      { id: totp.id, type: 'totp', keyId: '' },
      { isOwn: true, stepUp },
    );
    expect(done).toEqual([
      [
        `/api/collections/totps/records/${totp.id}`,
        { 'X-GitHub-Token': 'ghu_token', 'X-Step-Up': JSON.stringify(stepUp) },
      ],
      'refresh',
    ]);
  });

  test('leaves the session as it is when it was somebody else’s', async () => {
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

  test('leaves the session as it is when the server refuses', async () => {
    const refused = removeAuthenticator(
      {
        api: { remove: () => Promise.reject(new Error('refused')) },
        session: { accessToken: () => '', refresh: () => Promise.reject(new Error('refreshed')) },
      },
      { id: totp.id, type: 'totp', keyId: '' },
      { isOwn: true, stepUp },
    );
    await expect(refused).rejects.toThrow('refused');
  });
});

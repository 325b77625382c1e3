import { afterEach, expect, jest, test } from '@jest/globals';
import { ApiError } from '../../../web/src/lib/api-client.ts';
import { logout } from '../../../web/src/lib/logout.ts';
import { createSession } from '../../../web/src/lib/session.ts';
import { fakeLocal } from './fake-local.ts';
import { fakeRecordStore, fetchNow, record, token } from './fake-record-store.ts';

const realFetch = globalThis.fetch;

afterEach(() => {
  globalThis.fetch = realFetch;
  jest.restoreAllMocks();
});

test.each([
  ['the server answers', async () => 'ok'],
  ['the server does not answer', () => Promise.reject(new ApiError())],
])('clears the person’s data in this browser if %s', async (_, post) => {
  const { store } = fakeRecordStore([]);
  const keys = {
    gh_accessToken: 't',
    gh_accessTokenExpiry: '9999999999999',
    orgPreference: '{}',
    providerInfo: '{}',
  };
  const local = fakeLocal(keys);
  store.authStore.save(token(), record);
  const session = createSession({ auth: store.authStore, local, fetch: fetchNow, now: () => Date.now() });
  expect(session.getState().status).toBe('signed-in');
  const api = { post: jest.fn<(path: string, body: unknown) => Promise<unknown>>(post) };
  const tab = { clear: jest.fn(), setItem: jest.fn() };
  await logout({ api: api as never, session, tab });
  expect(tab.clear).toHaveBeenCalled();
  expect(api.post).toHaveBeenCalledWith('/logout', {});
  expect(session.getState()).toEqual({ status: 'signed-out', notice: null });
  expect([...local.all.keys(), store.authStore.token]).toEqual(['']);
});

test('without a client is a bug, which is logged', async () => {
  const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  await logout(null);
  expect(log).toHaveBeenCalledWith('Context uninitialized');
});

import { describe, expect, test } from '@jest/globals';
import { problems } from '../../../src/contract/problems.ts';
import { NO_ANSWER } from '../../../web/src/lib/api-client.ts';
import { saveAccessToken } from '../../../web/src/lib/local-store.ts';
import { createSession } from '../../../web/src/lib/session.ts';
import { fakeLocal } from './fake-local.ts';
import { type Answer, fakeRecordStore, fetchNow, image, record, token } from './fake-record-store.ts';
import './restore-fetch.ts';

const ENDED = 'Your sign-in has ended. It lasts eight hours, or until you log out.';
const HOUR = 60 * 60 * 1000;

function signedIn(answers: Answer[] = []) {
  const { store, requests } = fakeRecordStore(answers);
  const local = fakeLocal();
  const clock = { now: 1_000_000 };
  store.authStore.save(token(), record);
  saveAccessToken(local, 'ghu_token', clock.now);
  const deps = { auth: store.authStore, local, fetch: fetchNow, now: () => clock.now };
  return { session: createSession(deps), deps, store, local, clock, requests };
}

describe('createSession', () => {
  test('starts signed in from local storage before the network answers', () => {
    const { session } = signedIn();
    expect(session.getState()).toMatchObject({
      status: 'signed-in',
      fresh: 'pending',
      user: { username: 'octocat' },
    });
  });

  test('reads the person’s organizations, sorted by name, and their authenticators', () => {
    const state = signedIn().session.getState();
    expect(state).toMatchObject({
      user: {
        githubId: 583231,
        organizations: [
          { orgId: 9919, name: 'octo-org', installationId: 77, role: 'admin', image },
          { orgId: 2, name: 'other-org', installationId: 0, role: 'member', image: null, suspended: false },
        ],
        email: 'octocat@example.org',
        image: null,
        authenticators: { 9919: { webauthn: [{ id: 'credential' }] } },
      },
    });
  });

  test('is signed out without a GitHub token, or with one that is eight hours old', () => {
    const { deps, local, clock } = signedIn();
    const status = () => createSession(deps).getState().status;
    clock.now += 8 * HOUR - 1;
    expect(status()).toBe('signed-in');
    clock.now += 1;
    expect(status()).toBe('signed-out');
    local.removeItem('gh_accessToken');
    clock.now = 1_000_000;
    expect(status()).toBe('signed-out');
  });

  test('is signed out if the record store’s session has expired', () => {
    const { deps, store } = signedIn();
    store.authStore.save(token(1), record);
    const state = () => createSession(deps).getState();
    expect(state()).toEqual({ status: 'signed-out', notice: ENDED });
    store.authStore.clear();
    expect(state()).toEqual({ status: 'signed-out', notice: null });
  });
});

describe('accessToken', () => {
  test('signs the person out if the token expires while the page is open', () => {
    const { session, clock, local, store } = signedIn();
    expect(session.accessToken()).toBe('ghu_token');
    clock.now += 8 * HOUR;
    expect(session.accessToken()).toBe('');
    expect(session.getState()).toEqual({ status: 'signed-out', notice: ENDED });
    expect([...local.all.keys(), store.authStore.token]).toEqual(['']);
  });
});

describe('refresh', () => {
  test('updates the user from the record store’s answer', async () => {
    const { session, requests } = signedIn([
      { json: { token: token(), record: { ...record, username: 'renamed' } } },
    ]);
    await session.refresh();
    expect(session.getState()).toMatchObject({ fresh: 'yes', user: { username: 'renamed' } });
    expect(requests[0]?.url).toContain('expand=org_members_via_user.org');
  });

  test('keeps the person as they were if nothing changed, so that nothing renders again', async () => {
    const { session } = signedIn([{ json: { token: token(), record } }]);
    const before = session.getState();
    await session.refresh();
    const after = session.getState();
    expect(after).toEqual({ ...before, fresh: 'yes' });
    expect('user' in before && 'user' in after && after.user === before.user).toBe(true);
  });

  test('signs out if the server ended the session', async () => {
    const { session } = signedIn([{ problem: 'missingAuthToken' }]);
    await session.refresh();
    expect(session.getState()).toEqual({ status: 'signed-out', notice: ENDED });
  });

  test('does not sign a person in again who logged out before the answer', async () => {
    const { session, store } = signedIn([{ json: { token: token(), record } }]);
    const refreshed = session.refresh();
    session.signOut(null);
    await refreshed;
    expect([session.getState().status, store.authStore.token]).toEqual(['signed-out', '']);
  });

  test.each<[string, Answer, string]>([
    ['there is no answer', 'no answer', NO_ANSWER],
    ['the record store is down', { problem: 'storeUnavailable' }, problems.storeUnavailable[1]],
  ])('keeps the stored session if %s, and says why', async (_, answer, problem) => {
    const { session } = signedIn([answer]);
    await session.refresh();
    expect(session.getState()).toMatchObject({
      status: 'signed-in',
      fresh: 'failed',
      problem,
      user: { username: 'octocat' },
    });
  });
});

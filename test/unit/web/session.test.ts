import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { problems } from '../../../src/contract/problems.ts';
import { completeSignIn } from '../../../web/src/features/sign-in/oauth-page.tsx';
import { startSignIn } from '../../../web/src/features/sign-in/start-sign-in.ts';
import { ApiError, NO_ANSWER } from '../../../web/src/lib/api/api-client.ts';
import { saveAccessToken } from '../../../web/src/lib/session/local-store.ts';
import { logout } from '../../../web/src/lib/session/logout.ts';
import { createSession } from '../../../web/src/lib/session/session.ts';
import { type Answer, fakeLocal, fakeRecordStore, fetchNow, image, record, token } from './fixtures.ts';

const ENDED = 'Your sign-in has ended. It lasts eight hours, or until you sign out.';
const HOUR = 60 * 60 * 1000;
const AUTH = 'pocketbase_auth';
const window = new EventTarget();

function signedIn(answers: Answer[] = []) {
  const { requests } = fakeRecordStore(answers);
  const local = fakeLocal({ [AUTH]: JSON.stringify({ token: token(), record }) });
  const clock = { now: 1_000_000 };
  saveAccessToken(local, 'ghu_token', clock.now);
  const deps = { local, window, fetch: fetchNow, now: () => clock.now };
  return { session: createSession(deps), deps, local, clock, requests };
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

  test('is signed out without a GitHub token, or with a token that is eight hours old', () => {
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
    const { deps, local } = signedIn();
    local.setItem(AUTH, JSON.stringify({ token: token(1), record }));
    const state = () => createSession(deps).getState();
    expect(state()).toEqual({ status: 'signed-out', notice: ENDED });
    local.removeItem(AUTH);
    expect(state()).toEqual({ status: 'signed-out', notice: null });
  });
});

describe('accessToken', () => {
  test('signs the person out if the token expires while the page is open', () => {
    const { session, clock, local } = signedIn();
    expect(session.accessToken()).toBe('ghu_token');
    clock.now += 8 * HOUR;
    expect(session.accessToken()).toBe('');
    expect(session.getState()).toEqual({ status: 'signed-out', notice: ENDED });
    expect(local.all.size).toBe(0);
  });
});

test('a logout in another tab ends the session in this one', () => {
  const { session, local } = signedIn();
  window.dispatchEvent(new Event('storage'));
  expect(session.getState().status).toBe('signed-in');
  local.removeItem(AUTH);
  window.dispatchEvent(new Event('storage'));
  expect(session.getState()).toEqual({ status: 'signed-out', notice: null });
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

  test('signs out if the server ended the session', async () => {
    const { session } = signedIn([{ problem: 'missingAuthToken' }]);
    await session.refresh();
    expect(session.getState()).toEqual({ status: 'signed-out', notice: ENDED });
  });

  test('does not sign a person in again who logged out before the answer', async () => {
    const { session, local } = signedIn([{ json: { token: token(), record } }]);
    const refreshed = session.refresh();
    session.signOut(null);
    await refreshed;
    expect([session.getState().status, local.all.size]).toEqual(['signed-out', 0]);
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

const realFetch = globalThis.fetch;

afterEach(() => {
  globalThis.fetch = realFetch;
  jest.restoreAllMocks();
});

test.each([
  ['the server answers', async () => 'ok'],
  ['the server does not answer', () => Promise.reject(new ApiError())],
])('clears the person’s data in this browser if %s', async (_, post) => {
  const keys = {
    [AUTH]: JSON.stringify({ token: token(), record }),
    gh_accessToken: 't',
    gh_accessTokenExpiry: '9999999999999',
    orgPreference: '{}',
    providerInfo: '{}',
  };
  const local = fakeLocal(keys);
  const session = createSession({ local, window, fetch: fetchNow, now: () => Date.now() });
  expect(session.getState().status).toBe('signed-in');
  const api = { post: jest.fn<(path: string, body: unknown) => Promise<unknown>>(post) };
  const tab = { clear: jest.fn(), setItem: jest.fn() };
  await logout({ api: api as never, session, local, tab });
  expect(tab.clear).toHaveBeenCalled();
  expect(api.post).toHaveBeenCalledWith('/logout', {});
  expect(session.getState()).toEqual({ status: 'signed-out', notice: null });
  expect(local.all.size).toBe(0);
});

test('without a client is a bug, which is logged', async () => {
  const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  await logout(null);
  expect(log).toHaveBeenCalledWith('Context uninitialized');
});

const config = { origin: 'https://guard.example.org', github: 'https://github.com' };
const AUTH_URL = 'https://github.com/login/oauth/authorize?client_id=x&state=state-1&redirect_uri=';
const NOW = 1_000_000_000;
const SAVED = { name: 'github', codeVerifier: 'verifier', returnTo: '/collect?pr=7', savedAt: NOW };
function deps(answers: Answer[], saved?: unknown) {
  const { store, requests } = fakeRecordStore(answers);
  const local = fakeLocal(saved ? { providerInfo: JSON.stringify({ 'state-1': saved }) } : {});
  const now = () => NOW;
  const session = createSession({ local, window, fetch: fetchNow, now });
  return { store, local, tab: fakeLocal(), now, config, requests, session };
}

const methods = (providers: unknown[]) => ({ json: { oauth2: { enabled: true, providers } } });
const github = (authURL: string, state = 'state-1') => ({
  name: 'github',
  state,
  codeVerifier: 'verifier',
  authURL,
});

describe('startSignIn', () => {
  test('resolves to GitHub’s address and saves what the return needs', async () => {
    const given = deps([methods([{ name: 'other' }, github(AUTH_URL)])]);
    const address = await startSignIn(given, '/collect?pr=7');
    expect(address).toBe(`${AUTH_URL}${encodeURIComponent('https://guard.example.org/oauth')}`);
    expect(JSON.parse(given.local.getItem('providerInfo') ?? '')).toEqual({ 'state-1': SAVED });
  });

  test('keeps the ten newest sign-ins that began in the last hour', async () => {
    const states = Array.from({ length: 12 }, (_, at) => `state-${at}`);
    const given = deps(states.map((state) => methods([github(AUTH_URL, state)])));
    let now = NOW;
    for (const state of states) {
      await startSignIn({ ...given, now: () => now }, `/${state}`);
      now += 1000;
    }
    const kept = () => Object.keys(JSON.parse(given.local.getItem('providerInfo') ?? '{}')).toSorted();
    expect(kept()).toEqual(states.slice(2).toSorted());
    now += HOUR;
    const later = deps([methods([github(AUTH_URL, 'later')])]);
    await startSignIn({ ...later, local: given.local, now: () => now }, '/');
    expect(kept()).toEqual(['later']);
  });

  test('lets GitHub ask for the account after “Not octocat?”, since GitHub would sign the same person in', async () => {
    const given = deps([methods([github(AUTH_URL)])]);
    given.tab.setItem('other-person', 'true');
    expect(await startSignIn(given, '/')).toMatch(/%2Foauth&prompt=select_account$/);
  });

  test('rejects if the record store has no github provider', async () => {
    await expect(startSignIn(deps([methods([])]), '/')).rejects.toThrow('github auth provider missing');
  });

  test('rejects an address that is not on GitHub', async () => {
    const given = deps([methods([github('https://evil.example/?redirect_uri=')])]);
    await expect(startSignIn(given, '/')).rejects.toThrow("isn't on the GitHub");
    expect(given.local.all.size).toBe(0);
  });
});

describe('completeSignIn', () => {
  const success = { json: { token: token(), record, meta: { accessToken: 'ghu_token' } } };

  test('exchanges the code and signs the person in', async () => {
    const given = deps([success], SAVED);
    expect(await completeSignIn(given, '?code=code-1&state=state-1')).toEqual({
      error: null,
      returnTo: '/collect?pr=7',
    });
    expect(given.requests[0]?.body).toMatchObject({
      provider: 'github',
      code: 'code-1',
      codeVerifier: 'verifier',
      redirectURL: 'https://guard.example.org/oauth',
    });
    expect(given.session.getState().status).toBe('signed-in');
    expect(Object.fromEntries(given.local.all)).toEqual({
      gh_accessToken: 'ghu_token',
      gh_accessTokenExpiry: String(NOW + 8 * HOUR),
      [AUTH]: expect.stringContaining('octocat'),
    });
  });

  const NOT_STARTED =
    "missing login info\nThis browser didn't start this sign-in, or finished it already. Sign in again.";
  const OTHER =
    "state parameters don't match\nThis sign-in isn't the one that this browser started. Sign in again.";

  test.each<[string, unknown, Answer[], string]>([
    ['?error_description=Denied&error=access_denied&state=state-1', SAVED, [], 'GitHub said: Denied'],
    [`?state=state-1&error_description=${'x'.repeat(400)}`, SAVED, [], `GitHub said: ${'x'.repeat(300)}`],
    ['?code=c&state=state-1', undefined, [], NOT_STARTED],
    ['?code=c&state=state-1', 'not a saved sign-in', [], NOT_STARTED],
    ['?code=c&state=state-1', { ...SAVED, savedAt: NOW - HOUR }, [], NOT_STARTED],
    ['?code=c&state=constructor', undefined, [], NOT_STARTED],
    [
      '?code=c&state=state-1',
      SAVED,
      [{ json: { token: token(), record } }],
      'Missing auth token on login\nSign in again.',
    ],
    ['?code=c&state=state-1', SAVED, [{ status: 400, json: { message: 'No luck.' } }], 'No luck.'],
    [
      '?code=c&state=state-1',
      SAVED,
      [{ problem: 'accountRelinked' }],
      'This account belongs to another GitHub user. Ask the operator of OTP Guard for help.',
    ],
  ])('refuses the return %s', async (search, saved, answers, error) => {
    const given = deps(answers, saved);
    expect((await completeSignIn(given, search)).error).toBe(error);
    expect([given.session.getState().status, given.local.all.size]).toEqual(['signed-out', 0]);
  });

  test.each(['?code=c&state=state-2', '?code=c', ''])(
    'refuses the return %s if it isn’t of the sign-in that began, which stays',
    async (search) => {
      const given = deps([success], SAVED);
      expect(await completeSignIn(given, search)).toEqual({ error: OTHER, returnTo: '/' });
      expect((await completeSignIn(given, '?code=c&state=state-1')).error).toBe(null);
    },
  );

  test('signs in from two tabs, each of which continues where it began', async () => {
    const given = deps([
      methods([github(AUTH_URL, 'one')]),
      methods([github(AUTH_URL, 'two')]),
      success,
      success,
    ]);
    await startSignIn(given, '/collect?pr=1');
    await startSignIn(given, '/collect?pr=2');
    for (const [state, pr] of [
      ['two', 2],
      ['one', 1],
    ])
      expect(await completeSignIn(given, `?code=c&state=${state}`)).toEqual({
        error: null,
        returnTo: `/collect?pr=${pr}`,
      });
    expect(given.local.getItem('providerInfo')).toBeNull();
  });

  test('that fails ends neither the session of another tab nor its sign-in', async () => {
    const given = deps([methods([github(AUTH_URL, 'two')]), { json: { token: token(), record } }], SAVED);
    given.session.enter({ token: token(), record });
    saveAccessToken(given.local, 'ghu_token', NOW);
    await startSignIn(given, '/');
    expect((await completeSignIn(given, '?code=c&state=state-1')).error).toMatch(/^Missing auth token/);
    expect(given.local.getItem(AUTH)).not.toBeNull();
    given.session.signOut(ENDED);
    expect(Object.keys(JSON.parse(given.local.getItem('providerInfo') ?? ''))).toEqual(['two']);
  });

  test('consumes the saved sign-in, so a second return with the same query is refused', async () => {
    const given = deps([success, success], SAVED);
    await completeSignIn(given, '?code=c&state=state-1');
    expect((await completeSignIn(given, '?code=c&state=state-1')).error).toBe(NOT_STARTED);
    // The browser's history leads back to the address without its query.
    expect(await completeSignIn(given, '')).toEqual({ error: null, returnTo: '/' });
    expect(given.requests).toHaveLength(1);
  });

  test.each(['//evil.example', 'https://github.com/octo-org', 'javascript:alert(1)'])(
    'returns home instead of to %s',
    async (returnTo) => {
      const given = deps([success], { ...SAVED, returnTo });
      expect(await completeSignIn(given, '?code=c&state=state-1')).toEqual({ error: null, returnTo: '/' });
    },
  );
});

import './restore-fetch.ts';
import { describe, expect, test } from '@jest/globals';
import { completeSignIn } from '../../../web/src/features/sign-in/oauth-page.tsx';
import { startSignIn } from '../../../web/src/features/sign-in/start-sign-in.ts';
import { createSession } from '../../../web/src/lib/session.ts';
import { fakeLocal } from './fake-local.ts';
import { type Answer, fakeRecordStore, fetchNow, record, token } from './fake-record-store.ts';

const config = { origin: 'https://guard.example.org', github: 'https://github.com' };
const AUTH_URL = 'https://github.com/login/oauth/authorize?client_id=x&state=state-1&redirect_uri=';
const SAVED = { name: 'github', state: 'state-1', codeVerifier: 'verifier', returnTo: '/collect?pr=7' };
function deps(answers: Answer[], saved?: unknown) {
  const { store, requests } = fakeRecordStore(answers);
  const local = fakeLocal(saved ? { providerInfo: JSON.stringify(saved) } : {});
  const now = () => 1_000_000;
  const session = createSession({ auth: store.authStore, local, fetch: fetchNow, now });
  return { store, local, tab: fakeLocal(), now, config, requests, session };
}

const methods = (providers: unknown[]) => ({ json: { oauth2: { enabled: true, providers } } });
const github = (authURL: string) => ({ name: 'github', state: 'state-1', codeVerifier: 'verifier', authURL });

describe('startSignIn', () => {
  test('resolves to GitHub’s address and saves what the return needs', async () => {
    const given = deps([methods([{ name: 'other' }, github(AUTH_URL)])]);
    const address = await startSignIn(given, '/collect?pr=7');
    expect(address).toBe(`${AUTH_URL}${encodeURIComponent('https://guard.example.org/oauth')}`);
    expect(JSON.parse(given.local.getItem('providerInfo') ?? '')).toEqual(SAVED);
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

  test('rejects with a sentence if the server does not answer', async () => {
    await expect(startSignIn(deps(['no answer']), '/')).rejects.toThrow("OTP Guard didn't answer.");
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
      gh_accessTokenExpiry: String(1_000_000 + 8 * 60 * 60 * 1000),
    });
  });

  const NOT_STARTED =
    "missing login info\nThis browser didn't start this sign-in, or finished it already. Sign in again.";
  const OTHER =
    "state parameters don't match\nThis sign-in isn't the one that this browser started. Sign in again.";

  test.each<[string, unknown, Answer[], string]>([
    ['?error_description=Denied&error=access_denied', SAVED, [], 'GitHub said: Denied'],
    [`?error_description=${'x'.repeat(400)}`, SAVED, [], `GitHub said: ${'x'.repeat(300)}`],
    ['?code=c&state=state-1', undefined, [], NOT_STARTED],
    ['?code=c&state=state-1', 'not a saved sign-in', [], NOT_STARTED],
    ['?code=c&state=state-2', SAVED, [], OTHER],
    ['?code=c', SAVED, [], OTHER],
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

  test('consumes the saved sign-in, so a second return with the same query is refused', async () => {
    const given = deps([success, success], SAVED);
    await completeSignIn(given, '?code=c&state=state-1');
    expect((await completeSignIn(given, '?code=c&state=state-1')).error).toBe(NOT_STARTED);
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

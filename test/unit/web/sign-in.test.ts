import { afterEach, describe, expect, test } from '@jest/globals';
import { beginSignIn } from '../../../web/src/features/sign-in/begin.ts';
import { finishSignIn } from '../../../web/src/features/sign-in/finish.ts';
import { createSession } from '../../../web/src/lib/session.ts';
import { fakeLocal } from './fake-local.ts';
import { type Answer, fakeRecordStore, record, token } from './fake-record-store.ts';

const config = { origin: 'https://guard.example.org', github: 'https://github.com' };
const AUTH_URL = 'https://github.com/login/oauth/authorize?client_id=x&state=state-1&redirect_uri=';
const SAVED = { name: 'github', state: 'state-1', codeVerifier: 'verifier', returnTo: '/collect?pr=7' };
const realFetch = globalThis.fetch;

afterEach(() => {
  globalThis.fetch = realFetch;
});

function deps(answers: Answer[], saved?: unknown) {
  const { store, asked } = fakeRecordStore(answers);
  const local = fakeLocal(saved ? { providerInfo: JSON.stringify(saved) } : {});
  const now = () => 1_000_000;
  return { store, local, now, config, asked, session: createSession({ store, local, now }) };
}

const methods = (providers: unknown[]) => ({ json: { oauth2: { enabled: true, providers } } });
const github = (authURL: string) => ({ name: 'github', state: 'state-1', codeVerifier: 'verifier', authURL });

describe('beginSignIn', () => {
  test('leads to GitHub and keeps what the return needs', async () => {
    const given = deps([methods([{ name: 'other' }, github(AUTH_URL)])]);
    const address = await beginSignIn(given, '/collect?pr=7');
    expect(address).toBe(`${AUTH_URL}${encodeURIComponent('https://guard.example.org/oauth')}`);
    expect(JSON.parse(given.local.getItem('providerInfo') ?? '')).toEqual(SAVED);
  });

  test('refuses a record store without GitHub', async () => {
    await expect(beginSignIn(deps([methods([])]), '/')).rejects.toThrow('github auth provider missing');
  });

  test('refuses to lead anywhere but to GitHub', async () => {
    const given = deps([methods([github('https://evil.example/?redirect_uri=')])]);
    await expect(beginSignIn(given, '/')).rejects.toThrow('not on the GitHub');
    expect(given.local.all.size).toBe(0);
  });

  test('says so when nobody answers', async () => {
    await expect(beginSignIn(deps(['no answer']), '/')).rejects.toThrow('OTP Guard did not answer.');
  });
});

describe('finishSignIn', () => {
  const success = { json: { token: token(), record, meta: { accessToken: 'ghu_token' } } };

  test('exchanges the code and signs in', async () => {
    const given = deps([success], SAVED);
    expect(await finishSignIn(given, '?code=code-1&state=state-1')).toEqual({
      error: null,
      returnTo: '/collect?pr=7',
    });
    expect(given.asked[0]?.body).toMatchObject({
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

  test.each<[string, unknown, Answer[], string]>([
    ['?error_description=Denied&error=access_denied', SAVED, [], 'GitHub said: Denied'],
    [`?error_description=${'x'.repeat(400)}`, SAVED, [], `GitHub said: ${'x'.repeat(300)}`],
    ['?code=c&state=state-1', undefined, [], 'missing login info'],
    ['?code=c&state=state-1', 'not what we saved', [], 'missing login info'],
    ['?code=c&state=state-2', SAVED, [], "state parameters don't match"],
    ['?code=c', SAVED, [], "state parameters don't match"],
    [
      '?code=c&state=state-1',
      SAVED,
      [{ json: { token: token(), record, meta: {} } }],
      'Missing auth token on login',
    ],
    [
      '?code=c&state=state-1',
      SAVED,
      [{ status: 400, json: { message: 'Failed to authenticate.' } }],
      'Failed to authenticate.',
    ],
    [
      '?code=c&state=state-1',
      SAVED,
      [{ status: 403, text: 'This account belongs to another GitHub user.' }],
      'This account belongs to another GitHub user.',
    ],
  ])('refuses %s', async (search, saved, answers, error) => {
    const given = deps(answers, saved);
    expect((await finishSignIn(given, search)).error).toBe(error);
    expect(given.session.getState().status).toBe('signed-out');
    expect(given.local.all.size).toBe(0);
  });

  test('uses what was saved up, so that a second return with the same query finds nothing', async () => {
    const given = deps([success, success], SAVED);
    await finishSignIn(given, '?code=c&state=state-1');
    expect((await finishSignIn(given, '?code=c&state=state-1')).error).toBe('missing login info');
    expect(given.asked).toHaveLength(1);
  });

  test.each(['//evil.example', 'https://github.com/octo-org', 'javascript:alert(1)'])(
    'comes back to the root instead of to %s',
    async (returnTo) => {
      const given = deps([success], { ...SAVED, returnTo });
      expect(await finishSignIn(given, '?code=c&state=state-1')).toEqual({ error: null, returnTo: '/' });
    },
  );
});

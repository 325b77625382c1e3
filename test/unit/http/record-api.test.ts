import type { IncomingMessage, RequestListener } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { memberQueries } from '../../../src/adapters/pocketbase/collections.ts';
import type { ProblemCode } from '../../../src/contract/problems.ts';
import { type RecordApiDeps, recordApi } from '../../../src/http/record-api/router.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { FakeSessions, Stage } from '../../support/fakes.ts';
import { endServersAfterEach, mona, PUBLIC_URL, SESSION, serve, startHttpApp } from './http-app.ts';

endServersAfterEach();

const ID = 'a1b2c3d4e5f6g7h';
const USERS = '/api/collections/gh_users';
const headers = { authorization: SESSION };
const META = { id: '11', username: 'mona', name: 'Mona', avatarURL: '', accessToken: 'ghu_1', isNew: false };
const SIGN_IN = { provider: 'github', code: 'c', codeVerifier: 'v', redirectURL: `${PUBLIC_URL}/oauth` };

type Seen = { url: string; headers: IncomingMessage['headers']; body: string };

/** The record store's API before a stub of the record store, which answers as `listener` does. */
async function world(listener: RequestListener = (_request, response) => response.end('{}')) {
  const seen: Seen[] = [];
  const url = await serve(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    seen.push({ url: request.url ?? '', headers: request.headers, body });
    listener(request, response);
  });
  return { seen, ...(await before(url)) };
}

async function before(url: string) {
  const stage = new Stage();
  const sessions = new FakeSessions(stage);
  sessions.open.set(SESSION, mona);
  /** Sessions whose person the record store no longer has. */
  const removed = new Set<string>();
  const deps: RecordApiDeps = {
    url,
    publicUrl: PUBLIC_URL,
    sessions,
    refreshMemberships: () => stage.play('refreshMemberships', () => undefined),
    memberQueries,
    readMyUserRecord: (token) =>
      stage.play('readMyUserRecord', () =>
        removed.has(token) ? null : { token, record: { id: ID, github_id: 11, username: 'mona' } },
      ),
    finishSignIn: stage.call('finishSignIn', () => undefined),
  };
  const app = await startHttpApp({ recordApi: recordApi(deps) });
  return { ...app, stage, sessions, removed };
}

const json =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const refusal = (code: ProblemCode) => {
  const { status, message: body } = new AppError(code);
  return { status, body };
};

describe('a request that is passed on to the record store', () => {
  it('carries the address of its connection, because the record store believes this header', async () => {
    const w = await world();
    await w.send('GET', '/api/health', { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(w.seen[0]?.headers['x-forwarded-for']).toBe('127.0.0.1');
  });

  it('carries it also if the client asks whether to continue', async () => {
    const w = await world();
    const asking = { expect: '100-continue', 'x-forwarded-for': '203.0.113.9', cookie: 'a=b' };
    await w.send('GET', '/api/health', { headers: asking });
    expect(w.seen[0]?.headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(w.seen[0]?.headers.cookie).toBeUndefined();
  });

  it.each(['cookie', 'forwarded', 'x-real-ip', 'x-forwarded-host'])(
    'does not carry the client’s %s',
    async (name) => {
      const w = await world();
      await w.send('GET', '/api/health', { headers: { [name]: 'for=203.0.113.9', accept: 'text/x' } });
      expect(w.seen[0]?.headers).toMatchObject({ accept: 'text/x' });
      expect(w.seen[0]?.headers[name]).toBeUndefined();
    },
  );

  it('asks for what the allow-list made of its target', async () => {
    const w = await world();
    await w.send('GET', '/api/collections/webauthn/records?perPage=500&page=2');
    expect(w.seen.map(({ url }) => url)).toEqual(['/api/collections/webauthn/records?perPage=50&page=2']);
  });

  it('is answered without the headers that would open it to other sites or frames', async () => {
    const w = await world((_request, response) => {
      const open = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
      response.writeHead(200, { ...open, 'X-Frame-Options': 'SAMEORIGIN', ETag: '"1"' }).end('{}');
    });
    const { headers: answered } = await w.send('GET', '/api/health');
    expect([answered.etag, answered['x-frame-options']]).toEqual(['"1"', 'DENY']);
    expect(Object.keys(answered).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('waits until the person’s memberships are up to date, because the store’s rules read them', async () => {
    const w = await world();
    await w.send('GET', '/api/collections/webauthn/records', { headers });
    expect(w.stage.calls).toEqual(['sessions.read', 'refreshMemberships']);
    await w.send('GET', '/api/collections/webauthn/records', { headers: { authorization: 'ended' } });
    expect([w.stage.calls.slice(2), w.seen.length]).toEqual([['sessions.read'], 2]);
  });
});

describe('a read with a body', () => {
  it.each(['GET /api/health', 'GET /api/collections/webauthn/records'])(
    'is refused, because a form could hold another query: %s',
    async (call) => {
      const w = await world();
      const [method = '', path = ''] = call.split(' ');
      const answer = await w.send(method, path, { headers, body: { expand: 'a.b.c.d' } });
      expect([answer.status, w.seen]).toEqual([404, []]);
    },
  );
});

describe('a subscription to changes', () => {
  const JSON_TYPE = 'application/json';
  const subscribe = async (body: string, type: string | undefined = JSON_TYPE) => {
    const w = await world();
    const sent = { ...headers, ...(type && { 'content-type': type }) };
    return { answer: await w.send('POST', '/api/realtime', { headers: sent, body }), seen: w.seen };
  };

  it('is passed on as it was parsed, with no other spelling of a field', async () => {
    const topics = '["PB_CONNECT","webauthn/*"]';
    const { seen } = await subscribe(`{"subscriptions":["x"],"clientId":"x", "subscriptions":${topics}}`);
    expect(seen.map(({ body }) => body)).toEqual([`{"clientId":"x","subscriptions":${topics}}`]);
  });

  const COSTLY = 'webauthn/*?options={"query":{"expand":"a.b.c.d"}}';
  const FORM = new URLSearchParams({ clientId: 'x', subscriptions: COSTLY }).toString();
  const PART = '--b\r\nContent-Disposition: form-data; name="@jsonPayload"\r\n\r\n';
  it.each<[string, string, string | undefined]>([
    ['a costly topic', JSON.stringify({ clientId: 'x', subscriptions: [COSTLY] }), JSON_TYPE],
    ['a broken topic', JSON.stringify({ clientId: 'x', subscriptions: ['webauthn/%'] }), JSON_TYPE],
    ['a spelling', JSON.stringify({ clientId: 'x', subscriptions: [], SUBSCRIPTIONS: [COSTLY] }), JSON_TYPE],
    ['a form', FORM, 'application/x-www-form-urlencoded'],
    ['a form with several parts', `${PART}{}\r\n--b--\r\n`, 'multipart/form-data; boundary=b'],
    ['JSON as text', '{"clientId":"x","subscriptions":[]}', 'text/plain'],
    ['JSON of another kind', '{"clientId":"x","subscriptions":[]}', 'application/vnd.api+json'],
  ])('is refused with %s, and the record store never sees it', async (_what, body, type) => {
    const { answer, seen } = await subscribe(body, type);
    expect([answer.status, seen]).toEqual([404, []]);
  });
});

describe('the person’s own record', () => {
  it.each([
    ['GET', `${USERS}/records/${ID}`],
    ['POST', `${USERS}/auth-refresh`],
  ])('is stored by no cache, because it holds what is theirs alone: %s %s', async (method, path) => {
    const w = await world();
    const answer = await w.send(method, path, { headers });
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(w.stage.calls).toEqual(['sessions.read', 'refreshMemberships', 'readMyUserRecord']);
    expect(w.seen).toEqual([]);
  });
});

describe('the record of a person who was removed a moment ago', () => {
  it.each([
    ['GET', `${USERS}/records/${ID}`],
    ['POST', `${USERS}/auth-refresh`],
  ])('is none, and their session is refused: %s %s', async (method, path) => {
    const w = await world();
    w.removed.add(SESSION);
    expect(await w.send(method, path, { headers })).toMatchObject(refusal('missingAuthToken'));
  });
});

describe('a sign-in', () => {
  const signIn = (w: Awaited<ReturnType<typeof before>>, change: object = {}) =>
    w.send('POST', `${USERS}/auth-with-oauth2`, { body: { ...SIGN_IN, ...change } });
  const authenticated = (meta: object) => json({ token: 'unused', record: { id: 'mona' }, meta });

  it('is finished before it is answered, stored by no cache, and says what the page needs', async () => {
    const w = await world(authenticated({ ...META, refreshToken: 'ghr_1' }));
    const answer = await signIn(w);
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(w.stage.calls).toEqual(['finishSignIn', 'sessions.begin', 'readMyUserRecord']);
    expect(JSON.parse(answer.body)).toMatchObject({ record: { id: ID }, meta: META });
    expect(answer.body).not.toContain('ghr_1');
  });

  it('sends the record store nothing of the client’s but the code and its verifier', async () => {
    const w = await world(authenticated(META));
    await signIn(w, { createData: { role: 'admin' }, expand: 'x' });
    expect(JSON.parse(w.seen[0]?.body ?? '')).toEqual({ ...SIGN_IN, createData: {} });
  });

  it.each<[string, object]>([
    ['to another address', { redirectURL: 'https://evil.example/oauth' }],
    ['to another path of ours', { redirectURL: `${SIGN_IN.redirectURL}/../evil` }],
    ['by another provider', { provider: 'google' }],
    ['with a code that is too long', { code: 'c'.repeat(513) }],
  ])('%s is refused before the record store sees it', async (_what, change) => {
    const w = await world(authenticated(META));
    expect(await signIn(w, change)).toMatchObject(refusal('malformed'));
    expect(w.seen).toEqual([]);
  });

  it.each<[string, RequestListener, ProblemCode, unknown?]>([
    [
      'GitHub refuses its code, or does not answer',
      json({ data: {}, message: 'Failed to fetch OAuth2 token.', status: 400 }, 400),
      'signInUnconfirmed',
    ],
    [
      'GitHub does not say whose code it was',
      json({ data: {}, message: 'Failed to fetch OAuth2 user.', status: 400 }, 400),
      'signInUnconfirmed',
    ],
    ['GitHub gave no token', authenticated({ ...META, accessToken: '' }), 'notAuthorizedWithGitHub'],
    ['the record store fails', json({}, 500), 'storeUnavailable'],
    [
      'the disk of the record store is full',
      json({ data: {}, message: 'Failed to authenticate.', status: 400 }, 400),
      'storeUnavailable',
      expect.stringMatching(/^OTP Guard can't save anything: the disk of its record store may be full\./),
    ],
  ])(
    'is refused by name, not as a fault, if %s',
    async (_what, listener, code, body = refusal(code).body) => {
      const w = await world(listener);
      expect(await signIn(w)).toMatchObject({ ...refusal(code), body });
      expect(w.stage.calls).not.toContain('sessions.begin');
    },
  );

  it('gives no session if it cannot be finished', async () => {
    const w = await world(authenticated(META));
    w.stage.fail('finishSignIn', 'accountRelinked');
    expect(await signIn(w)).toMatchObject(refusal('accountRelinked'));
    expect(w.stage.calls).toEqual(['finishSignIn']);
  });
});

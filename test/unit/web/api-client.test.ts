import { describe, expect, jest, test } from '@jest/globals';
import { ACCEPT, createApiClient, NO_ANSWER } from '../../../web/src/lib/api-client.ts';
import { problemResponse } from './problem-of.ts';

const text = (status: number, body: string, headers = {}) =>
  new Response(body, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers } });

function client(answer: () => Promise<Response>) {
  const fetch = jest.fn<typeof globalThis.fetch>(answer);
  const onUnauthorized = jest.fn<(message: string) => void>();
  return {
    api: createApiClient({ fetch, token: () => 'record-store-token', onUnauthorized }),
    fetch,
    onUnauthorized,
  };
}

describe('post', () => {
  test('sends JSON with the session’s token and reads a JSON answer', async () => {
    const { api, fetch } = client(async () => Response.json({ redirect: 'x' }));
    expect(await api.post('/github-check-webauthn', { a: 1 })).toEqual({ redirect: 'x' });
    expect(fetch).toHaveBeenCalledWith('/github-check-webauthn', {
      method: 'POST',
      headers: { Accept: ACCEPT, 'Content-Type': 'application/json', Authorization: 'record-store-token' },
      body: '{"a":1}',
    });
  });

  test('reads an answer in plain text', async () => {
    expect(await client(async () => text(200, 'ok')).api.post('/logout', {})).toBe('ok');
  });

  test('rejects with the server’s code, its sentence, the tries that are left and the time to wait', async () => {
    const change = { detail: 'Wrong.', retryAfter: 30, triesLeft: 1 };
    const { api } = client(async () => problemResponse('wrongCode', change));
    const refusal = { code: 'wrongCode', status: 403, message: 'Wrong.\n1 try left.', retryAfter: 30 };
    await expect(api.post('/x', {})).rejects.toMatchObject(refusal);
  });

  test.each([
    ['missingAuthToken', /^Your sign-in has ended/],
    ['missingAuthenticator', /^You have no authenticator in this organization/],
    ['authenticatorNotFound', /^There's no such authenticator/],
  ] as const)('has words for people where the wire contract has fixed ones: %s', async (code, words) => {
    const { api } = client(async () => problemResponse(code));
    await expect(api.post('/x', {})).rejects.toThrow(words);
  });

  test.each([
    ['the server does not answer', () => Promise.reject(new TypeError('fetch failed'))],
    ['a proxy answers', async () => text(502, '<h1>Bad gateway</h1>', { 'Content-Type': 'text/html' })],
    ['it is cut', async () => new Response('{"a', { headers: { 'Content-Type': 'application/json' } })],
  ])('rejects with the same sentence if %s', async (_, answer) => {
    await expect(client(answer).api.post('/x', {})).rejects.toMatchObject({ code: null, message: NO_ANSWER });
  });

  test('reports a session or GitHub token that is no longer valid', async () => {
    const { api, onUnauthorized } = client(async () => problemResponse('notAuthorizedWithGitHub'));
    await expect(api.post('/x', {})).rejects.toMatchObject({ status: 401 });
    expect(onUnauthorized).toHaveBeenCalledWith('Not authorized with GitHub');
  });

  test('rejects with the abort itself if the call was aborted', async () => {
    const { api } = client(() => Promise.reject(new DOMException('left', 'AbortError')));
    await expect(api.post('/x', {}, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('remove', () => {
  test('sends the proof with the session’s token and needs no answer', async () => {
    const { api, fetch } = client(async () => new Response(null, { status: 204 }));
    await api.remove('/api/collections/totps/records/a', { 'X-Step-Up': '{}' });
    expect(fetch).toHaveBeenCalledWith('/api/collections/totps/records/a', {
      method: 'DELETE',
      headers: { Accept: ACCEPT, 'X-Step-Up': '{}', Authorization: 'record-store-token' },
    });
  });

  test('rejects with the server’s sentence', async () => {
    const { api } = client(async () => problemResponse('challengeExpired'));
    const refusal = { code: 'challengeExpired', message: 'This took too long. Try again.' };
    await expect(api.remove('/api/collections/totps/records/a', {})).rejects.toMatchObject(refusal);
  });
});

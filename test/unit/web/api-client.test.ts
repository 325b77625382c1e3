import { describe, expect, jest, test } from '@jest/globals';
import { createApiClient, NO_ANSWER } from '../../../web/src/lib/api-client.ts';

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
      headers: { 'Content-Type': 'application/json', Authorization: 'record-store-token' },
      body: '{"a":1}',
    });
  });

  test('reads an answer in plain text', async () => {
    expect(await client(async () => text(200, 'ok')).api.post('/logout', {})).toBe('ok');
  });

  test('rejects with the server’s sentence and the time to wait', async () => {
    const { api } = client(async () => text(429, 'Too many requests.\n', { 'Retry-After': '30' }));
    const refusal = { status: 429, message: 'Too many requests.', retryAfter: 30 };
    await expect(api.post('/x', {})).rejects.toMatchObject(refusal);
  });

  test.each([
    ['the server does not answer', () => Promise.reject(new TypeError('fetch failed'))],
    ['a proxy answers', async () => text(502, '<h1>Bad gateway</h1>', { 'Content-Type': 'text/html' })],
    ['it is cut', async () => new Response('{"a', { headers: { 'Content-Type': 'application/json' } })],
  ])('rejects with the same sentence if %s', async (_, answer) => {
    await expect(client(answer).api.post('/x', {})).rejects.toThrow(NO_ANSWER);
  });

  test('reports a session or GitHub token that is no longer valid', async () => {
    const { api, onUnauthorized } = client(async () => text(401, 'Not authorized with GitHub'));
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
      headers: { 'X-Step-Up': '{}', Authorization: 'record-store-token' },
    });
  });

  test('rejects with the server’s sentence', async () => {
    const { api } = client(async () => text(403, 'This took too long. Try again.'));
    const refusal = { status: 403, message: 'This took too long. Try again.' };
    await expect(api.remove('/api/collections/totps/records/a', {})).rejects.toMatchObject(refusal);
  });
});

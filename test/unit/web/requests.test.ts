import { describe, expect, jest, test } from '@jest/globals';
import { ANSWER_MS } from '../../../src/http/app.ts';
import { fetchKeys } from '../../../web/src/features/verify/read-file.ts';
import {
  ACCEPT,
  createApiClient,
  inTime,
  NO_ANSWER,
  PATIENCE_MS,
  sentenceOf,
} from '../../../web/src/lib/api/api-client.ts';
import { loadChunk } from '../../../web/src/lib/load-chunk.ts';
import { createClient } from '../../../web/src/lib/session/client.ts';
import { installDom } from '../../support/dom.ts';
import { type Answer, fakeApi, fakeLocal, fakeRecordStore, problemResponse } from './fixtures.ts';

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
    expect(await api.post('/organization', { orgID: 1 })).toEqual({ redirect: 'x' });
    expect(fetch).toHaveBeenCalledWith('/organization', {
      method: 'POST',
      headers: { Accept: ACCEPT, 'Content-Type': 'application/json', Authorization: 'record-store-token' },
      body: '{"orgID":1}',
    });
  });

  test('rejects with the server’s code, its sentence, the tries that are left and the time to wait', async () => {
    const change = { detail: 'Wrong.', retryAfter: 30, triesLeft: 1 };
    const { api } = client(async () => problemResponse('wrongCode', change));
    const refusal = { code: 'wrongCode', status: 403, message: 'Wrong.\n1 try left.', retryAfter: 30 };
    await expect(api.post('/logout', {})).rejects.toMatchObject(refusal);
  });

  test.each([
    ['missingAuthToken', /^Your sign-in has ended/],
    ['missingAuthenticator', /^You have no authenticator in this organization/],
    ['authenticatorNotFound', /^There's no such authenticator/],
  ] as const)('has words for people where the wire contract has fixed ones: %s', async (code, words) => {
    const { api } = client(async () => problemResponse(code));
    await expect(api.post('/logout', {})).rejects.toThrow(words);
  });

  test.each([
    ['the server does not answer', () => Promise.reject(new TypeError('fetch failed'))],
    ['a proxy answers', async () => text(502, '<h1>Bad gateway</h1>', { 'Content-Type': 'text/html' })],
    ['it is cut', async () => new Response('{"a', { headers: { 'Content-Type': 'application/json' } })],
  ])('rejects with the same sentence if %s', async (_, answer) => {
    await expect(client(answer).api.post('/logout', {})).rejects.toMatchObject({
      code: null,
      message: NO_ANSWER,
    });
  });

  test('shows a plain text that another server answers in our place as given, up to a length', async () => {
    const message = (body: string, headers = {}) =>
      client(async () => text(503, body, headers))
        .api.post('/logout', {})
        .catch((error: Error) => error.message);
    expect(await message('Closed for maintenance until 12:00.\n')).toBe(
      'Closed for maintenance until 12:00.',
    );
    expect(await message('x'.repeat(1_000))).toBe('x'.repeat(300));
    expect(await message(' ')).toBe(NO_ANSWER);
  });

  test('reports a session or GitHub token that is no longer valid', async () => {
    const { api, onUnauthorized } = client(async () => problemResponse('notAuthorizedWithGitHub'));
    await expect(api.post('/logout', {})).rejects.toMatchObject({ status: 401 });
    expect(onUnauthorized).toHaveBeenCalledWith('Not authorized with GitHub');
  });

  test('takes the calls of the contract only, with their fields, and gives their answers', async () => {
    const { api, sent } = fakeApi({
      '/organization-log': () => ({ size: 1, checkpoint: null, at: null, checked: null, changed: null }),
      // @ts-expect-error The answer is a text.
      '/logout': () => ({}),
    });
    const log = await api.post('/organization-log', { orgID: 9919 });
    // @ts-expect-error The answer has no such member.
    expect([log.size, log.length]).toEqual([1, undefined]);
    // @ts-expect-error The field's name is orgID.
    await api.post('/organization-log', { orgId: 9919 });
    // @ts-expect-error There's no such call.
    await expect(api.post('/organisation-log', { orgID: 9919 })).rejects.toThrow();
    expect(sent).toHaveLength(3);
  });

  test('rejects with the abort itself if the call was aborted', async () => {
    const { api } = client(() => Promise.reject(new DOMException('left', 'AbortError')));
    await expect(api.post('/logout', {}, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test('the browser waits longer for each answer than the server takes to give one', async () => {
  expect(PATIENCE_MS).toBeGreaterThan(ANSWER_MS);
  const over = AbortSignal.abort();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(over);
  const fetch = jest.fn<typeof globalThis.fetch>(async () => new Response('{}'));
  const window = {
    ...{ fetch, localStorage: fakeLocal(), sessionStorage: fakeLocal() },
    ...{ addEventListener: () => {}, document: { querySelector: () => null }, location: { origin: '' } },
  };
  await createClient(window as never).api.post('/logout', {});
  expect(fetch.mock.calls.map(([, init]) => init?.signal?.aborted)).toEqual([true]);
  Object.assign(globalThis, { window });
  await fetchKeys(new AbortController().signal);
  expect(timeout.mock.calls).toEqual([[PATIENCE_MS], [PATIENCE_MS]]);
  // Whoever leaves the page ends the request, too.
  timeout.mockReturnValue(new AbortController().signal);
  expect(inTime({ signal: over }).signal?.aborted).toBe(true);
  timeout.mockRestore();
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
});

describe('the record store’s client', () => {
  const none = 'Something went wrong while processing your request.';
  test.each<[string, Answer, object]>([
    ['gives no reason', { status: 400, json: {} }, { code: null, status: 400, message: none }],
    ['has no such record', { status: 404, json: { message: 'No.' } }, { code: 'notFound', message: 'No.' }],
    ['is not reached', { problem: 'storeUnavailable' }, { code: 'storeUnavailable', status: 503 }],
    ['does not answer', 'no answer', { code: null, status: 0, message: NO_ANSWER }],
  ])('rejects like a product call if the record store %s', async (_, answer, error) => {
    const { store } = fakeRecordStore([answer]);
    const read = store.collection('webauthn').getOne('abcdefghijklmno');
    await expect(read).rejects.toMatchObject({ name: 'ApiError', ...error });
  });

  test('shows the message of any other error', () => {
    expect(sentenceOf(new Error('surprise'))).toBe('surprise');
    expect(sentenceOf('surprise')).toBe('Unknown error: surprise');
  });

  test('sends two equal requests without cancelling the first', async () => {
    const { store } = fakeRecordStore([]);
    globalThis.fetch = async (_url, init) => {
      await new Promise((soon) => setImmediate(soon));
      init?.signal?.throwIfAborted();
      return Response.json({ id: 'one' });
    };
    const request = () => store.collection('webauthn').getOne('abcdefghijklmno');
    expect(await Promise.all([request(), request()])).toEqual([{ id: 'one' }, { id: 'one' }]);
    // The client's default would cancel the first.
    store.autoCancellation(true);
    await expect(Promise.all([request(), request()])).rejects.toMatchObject({ isAbort: true });
  });
});

const gone = new TypeError('Failed to fetch dynamically imported module');

/** Loads a chunk that is gone, while the server has `page`; null if it doesn't answer. Resolves to what happened. */
function loadGone(page: string | null, { entry = 'index-old.js', tab = fakeLocal() } = {}): Promise<unknown> {
  const fetch = async () => {
    if (page === null) throw new TypeError('fetch failed');
    return new Response(page);
  };
  return new Promise((resolve) => {
    const deps = { fetch, tab, entry, reload: () => resolve('reloaded') };
    loadChunk(() => Promise.reject(gone), [], deps).then(resolve, resolve);
  });
}

test('a chunk that is gone after a deploy reloads the page', async () => {
  expect(await loadGone('<script src="/assets/index-new.js">')).toBe('reloaded');
});

test('a chunk that is gone although there was no deploy, or without an answer, is reported', async () => {
  expect(await loadGone('<script src="/assets/index-old.js">')).toBe(gone);
  expect(await loadGone(null)).toBe(gone);
});

test('two servers with different builds can’t reload the page for ever', async () => {
  const tab = fakeLocal();
  expect(await loadGone('index-new.js', { tab })).toBe('reloaded');
  expect(await loadGone('index-old.js', { tab, entry: 'index-new.js' })).toBe('reloaded');
  expect(await loadGone('index-new.js', { tab })).toBe(gone);
});

test.each(['load', 'error'])('a chunk with styles waits for them, until their %s', async (event) => {
  const uninstall = installDom();
  const loading = loadChunk(async () => 'chunk', ['assets/page-1a2b.css'], {
    ...{ fetch: async () => new Response('index.js'), tab: fakeLocal(), entry: 'index.js', reload: () => {} },
  });
  const outcome = loading.catch(({ message }: Error) => message);
  const link = document.querySelector('link[rel=stylesheet][href="/assets/page-1a2b.css"]');
  expect(await Promise.race([outcome, new Promise((soon) => setImmediate(soon, 'waiting'))])).toBe('waiting');
  link?.dispatchEvent(new window.Event(event));
  expect(await outcome).toBe(event === 'load' ? 'chunk' : "assets/page-1a2b.css didn't load.");
  link?.remove();
  uninstall();
});

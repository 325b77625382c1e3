import { expect, jest, test } from '@jest/globals';
import { ANSWER_MS } from '../../../src/http/app.ts';
import { approveDeps } from '../../../web/src/features/approval/approve-deps.ts';
import {
  beginApproval,
  begunRequest,
  fetchOrTakeBegun,
} from '../../../web/src/features/approval/begin-approval.ts';
import { fetchKeys } from '../../../web/src/features/verify/read-file.ts';
import { inTime, PATIENCE_MS } from '../../../web/src/lib/api-client.ts';
import { createClient } from '../../../web/src/lib/client.ts';
import { anAnswer, statement, target } from './approval-fixture.ts';
import { fakeLocal } from './fixtures.ts';

const query = `?${new URLSearchParams(target)}`;
const own = { totp: true, webauthn: [{ id: 'credential' }] };
const octocat = { username: 'octocat', githubId: 583231 };

/** A signed-in person's client, whose calls get this answer. */
function scene(answer?: unknown) {
  Object.assign(globalThis, { window: { PublicKeyCredential: class {} } });
  const post = jest.fn(async (_path: string, _body: { type: string }) => answer);
  const state = { status: 'signed-in', user: { ...octocat, authenticators: { 9919: own } } };
  const client = {
    api: { post },
    session: { getState: () => state, accessToken: () => 'ghu_token' },
    config: { origin: statement.host },
  } as never;
  return { post, client };
}

test('the browser waits longer for each answer than the server takes to give one', async () => {
  expect(PATIENCE_MS).toBeGreaterThan(ANSWER_MS);
  const over = AbortSignal.abort();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(over);
  const fetch = jest.fn<typeof globalThis.fetch>(async () => new Response('{}'));
  const window = {
    ...{ fetch, localStorage: fakeLocal(), sessionStorage: fakeLocal() },
    ...{ addEventListener: () => {}, document: { querySelector: () => null }, location: { origin: '' } },
  };
  await createClient(window as never).api.post('/receipts', {});
  expect(fetch.mock.calls.map(([, init]) => init?.signal?.aborted)).toEqual([true]);
  Object.assign(globalThis, { window });
  await fetchKeys(new AbortController().signal);
  expect(timeout.mock.calls).toEqual([[PATIENCE_MS], [PATIENCE_MS]]);
  // Whoever leaves the page ends the request, too.
  timeout.mockReturnValue(new AbortController().signal);
  expect(inTime({ signal: over }).signal?.aborted).toBe(true);
  timeout.mockRestore();
});

test.each([
  ['/collect', query, ['webauthn']],
  ['/collect-passkey', query, ['webauthn']],
  ['/collect-totp', query, ['totp']],
  ['/collect', '?pr=7', []],
  ['/org', query, []],
])('%s with its query begins with this call: %#', async (path, search, types) => {
  const { post, client } = scene();
  await beginApproval(client, path, search);
  expect(post.mock.calls.map(([, body]) => body.type)).toEqual(types);
});

test('the first render has the answer for the same person and commit, and the page takes it over once', async () => {
  const answer = await anAnswer();
  const { post, client } = scene(answer);
  expect(await beginApproval(client, '/collect', query)).toBe('Add a greeting');

  const deps = approveDeps(client, octocat, { target, type: 'webauthn' });
  const ofMona = approveDeps(client, { ...octocat, username: 'mona' }, { target, type: 'webauthn' });
  const byCode = approveDeps(client, octocat, { target, type: 'totp' });
  expect(begunRequest(deps, target)).toMatchObject(answer);
  expect(begunRequest(ofMona, target)).toBeNull();
  expect(begunRequest(byCode, target)).toBeNull();
  expect(begunRequest(deps, { ...target, head: '0'.repeat(40) })).toBeNull();
  expect(await fetchOrTakeBegun(deps, target)).toMatchObject(answer);
  expect(post).toHaveBeenCalledTimes(1);
  expect(begunRequest(deps, target)).toBeNull();
  await fetchOrTakeBegun(deps, target);
  expect(post).toHaveBeenCalledTimes(2);
});

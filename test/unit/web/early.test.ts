import { expect, jest, test } from '@jest/globals';
import { ANSWER_MS } from '../../../src/http/answer-in-time.ts';
import { fetchApprovalRequest } from '../../../web/src/features/approval/approval-request.ts';
import { approveDeps } from '../../../web/src/features/approval/approve-deps.ts';
import {
  beginApproval,
  begunRequest,
  fetchOrTakeBegun,
} from '../../../web/src/features/approval/begin-approval.ts';
import { earlyApproval } from '../../../web/src/features/approval/early-approval.ts';
import { fetchKeys } from '../../../web/src/features/verify/fetch-keys.ts';
import { createApiClient } from '../../../web/src/lib/api-client.ts';
import { statementChallenge } from '../../../web/src/lib/check-statement.ts';
import { fetchOrTakeEarly, sendEarly } from '../../../web/src/lib/early.ts';
import { inTime, PATIENCE_MS } from '../../../web/src/lib/in-time.ts';
import { readPageContext } from '../../../web/src/lib/page-context.ts';
import { postInit } from '../../../web/src/lib/post-init.ts';
import { statement, target } from './approval-fixture.ts';

const query = `?${new URLSearchParams(target)}`;
const own = { totp: true, webauthn: [{ id: 'credential' }] };

/** Sends the approval page's first call early, and returns how the page makes it then. */
function scene(accessToken = 'ghu_token') {
  const fetch = jest.fn<typeof globalThis.fetch>(async () => new Response('no', { status: 409 }));
  const window = { fetch, PublicKeyCredential: class {} } as never;
  Object.assign(globalThis, { window });
  const call = earlyApproval('/collect', readPageContext(query), { own, accessToken });
  if (call) void sendEarly(window, call.path, postInit(call.body));
  const api = createApiClient({
    fetch: fetchOrTakeEarly(window),
    token: () => 'renewed',
    onUnauthorized: () => {},
  });
  const now = () => performance.now();
  const ask = (type: 'webauthn' | 'totp') =>
    fetchApprovalRequest(
      { api, accessToken: () => 'ghu_token', screen: {} as never, now, type },
      target,
    ).catch((error: unknown) => error);
  return { fetch, ask };
}

test('the page takes the answer to the call that was sent while its code was loading, once', async () => {
  const { fetch, ask } = scene();
  await ask('webauthn');
  expect(fetch).toHaveBeenCalledTimes(1);
  await ask('webauthn');
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('the browser waits longer for each answer than the server takes to give one', async () => {
  expect(PATIENCE_MS).toBeGreaterThan(ANSWER_MS);
  const over = AbortSignal.abort();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(over);
  const { fetch, ask } = scene();
  await ask('webauthn');
  await ask('webauthn');
  expect(fetch.mock.calls.map(([, init]) => init?.signal?.aborted)).toEqual([true, true]);
  await fetchKeys(new AbortController().signal);
  expect(timeout.mock.calls).toEqual([[PATIENCE_MS], [PATIENCE_MS], [PATIENCE_MS]]);
  // Whoever leaves the page ends the request, too.
  timeout.mockReturnValue(new AbortController().signal);
  expect(inTime({ signal: over }).signal?.aborted).toBe(true);
  timeout.mockRestore();
});

test('the page sends its own call if it asks for something else, or for another person', async () => {
  const stranger = scene('ghu_of_another');
  await stranger.ask('webauthn');
  expect(stranger.fetch).toHaveBeenCalledTimes(2);
  const other = scene();
  await other.ask('totp');
  expect(other.fetch).toHaveBeenCalledTimes(2);
});

test.each([
  ['/collect', query, 'webauthn'],
  ['/collect-totp', query, 'totp'],
  ['/collect', '?pr=7', undefined],
  ['/org', query, undefined],
])('%s with its query begins with this call: %#', (path, search, type) => {
  const call = earlyApproval(path, readPageContext(search), { own, accessToken: 'ghu_token' });
  expect(call?.body.type).toBe(type);
});

test('the first render has the answer for the same person and commit, and the page takes it over once', async () => {
  Object.assign(globalThis, { window: { PublicKeyCredential: class {} } });
  const challenge = await statementChallenge(statement);
  const answer = { statement, options: { challenge }, target: { ...target, ownerID: 9919 } };
  const post = jest.fn(async () => answer);
  const octocat = { username: 'octocat', githubId: 583231 };
  const state = { status: 'signed-in', user: { ...octocat, authenticators: { 9919: own } } };
  const client = {
    api: { post },
    session: { getState: () => state, accessToken: () => 'ghu_token' },
    config: { origin: statement.host },
  } as never;
  await beginApproval(client, query);

  const deps = approveDeps(client, octocat, { target, type: 'webauthn' });
  const ofMona = approveDeps(client, { ...octocat, username: 'mona' }, { target, type: 'webauthn' });
  expect(begunRequest(deps, target)).toMatchObject(answer);
  expect(begunRequest(ofMona, target)).toBeNull();
  expect(begunRequest(deps, { ...target, head: '0'.repeat(40) })).toBeNull();
  expect(await fetchOrTakeBegun(deps, target)).toMatchObject(answer);
  expect(post).toHaveBeenCalledTimes(1);
  expect(begunRequest(deps, target)).toBeNull();
  await fetchOrTakeBegun(deps, target);
  expect(post).toHaveBeenCalledTimes(2);
});

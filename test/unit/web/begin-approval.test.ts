import { expect, jest, test } from '@jest/globals';
import { approveDeps } from '../../../web/src/features/approval/approve.ts';
import {
  beginApproval,
  begunRequest,
  fetchOrTakeBegun,
} from '../../../web/src/features/approval/begin-approval.ts';
import { anAnswer, statement, target } from './approval-fixture.ts';

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

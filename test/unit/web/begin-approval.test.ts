import { expect, jest, test } from '@jest/globals';
import { approveDeps } from '../../../web/src/features/approval/approve.ts';
import { beginApproval } from '../../../web/src/features/approval/begin-approval.ts';
import { signDeps } from '../../../web/src/lib/signing/sign-shown.ts';
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
  await beginApproval(client, path, search)?.title;
  expect(post.mock.calls.map(([, body]) => body.type)).toEqual(types);
});

test('the first render has the answer for the same person and commit, and the page takes it over once', async () => {
  const answer = await anAnswer();
  const { post, client } = scene(answer);
  const begun = beginApproval(client, '/collect', query);
  expect(await begun?.title).toBe('Add a greeting');

  const deps = approveDeps(signDeps(client, octocat), target, 'webauthn');
  const ofMona = approveDeps(signDeps(client, { ...octocat, username: 'mona' }), target, 'webauthn');
  const byCode = approveDeps(signDeps(client, octocat), target, 'totp');
  expect(begun?.answerFor(deps, target)).toMatchObject(answer);
  expect(begun?.answerFor(ofMona, target)).toBeNull();
  expect(begun?.answerFor(byCode, target)).toBeNull();
  expect(begun?.answerFor(deps, { ...target, head: '0'.repeat(40) })).toBeNull();
  expect(await begun?.take(deps, target)).toMatchObject(answer);
  expect(post).toHaveBeenCalledTimes(1);
  expect(begun?.answerFor(deps, target)).toBeNull();
  expect(begun?.take(deps, target)).toBeNull();
});

test('a page about something else uses the request up', async () => {
  const { client } = scene(await anAnswer());
  const begun = beginApproval(client, '/collect', query);
  await begun?.title;
  const deps = approveDeps(signDeps(client, octocat), target, 'webauthn');
  expect(begun?.take(deps, { ...target, pr: '8' })).toBeNull();
  expect(begun?.take(deps, target)).toBeNull();
});

import { describe, expect, test } from '@jest/globals';
import { StatementRefused } from '../../../web/src/features/approval/approval-request.ts';
import { toProblem } from '../../../web/src/features/approval/problem.ts';
import { ApiError } from '../../../web/src/lib/api-client.ts';
import { target } from './approval-fixture.ts';
import { problemOf } from './problem-of.ts';
import './restore-fetch.ts';

const config = {
  origin: 'https://guard.example.org',
  github: 'https://github.com',
  githubApi: 'https://api.github.com',
  install: null,
};
const deps = { config, accessToken: () => 'ghu_token' };
const NEW_HEAD = 'f'.repeat(40);
/** Answers for GitHub; a string is sent as it is. Returns the requests. */
function github(answer: object | string) {
  const requests: [string, unknown][] = [];
  globalThis.fetch = async (url, init) => {
    requests.push([String(url), init?.headers]);
    return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer));
  };
  return requests;
}

const nextStep = async (error: unknown, isShown = true) =>
  (await toProblem(deps, { target, error, isShown }))?.next;
const conflict = new ApiError(problemOf('headMoved'));

describe('toProblem', () => {
  test('offers the new head after a conflict over a new commit', async () => {
    const requests = github({ head: { sha: NEW_HEAD }, state: 'open' });
    expect(await toProblem(deps, { target, error: conflict, isShown: true })).toEqual({
      text: conflict.message,
      next: { kind: 'new-head', head: NEW_HEAD },
    });
    expect(requests).toEqual([
      [
        'https://api.github.com/repos/octo-org/hello/pulls/7',
        { Accept: 'application/vnd.github+json', Authorization: 'Bearer ghu_token' },
      ],
    ]);
  });

  test.each<[string, object | string]>([
    ['is closed', { head: { sha: NEW_HEAD }, state: 'closed' }],
    ['cannot be read', 'not json'],
    ['has an invalid head', { head: { sha: '../../x' }, state: 'open' }],
  ])('leads back to the pull request if it %s', async (_, answer) => {
    github(answer);
    expect(await nextStep(conflict)).toEqual({ kind: 'back-to-pull' });
  });

  test('reloads after a conflict in which the head did not change', async () => {
    github({ head: { sha: target.head }, state: 'open' });
    expect(await nextStep(conflict)).toEqual({ kind: 'reload' });
  });

  test('offers a registration to a person without an authenticator', async () => {
    expect(await nextStep(new ApiError(problemOf('missingAuthenticator')), false)).toEqual({
      kind: 'register',
    });
  });

  test('lets the same button try again, or reloads if nothing is on the screen', async () => {
    const refusal = new ApiError(problemOf('challengeExpired'));
    expect(await nextStep(refusal, true)).toEqual({ kind: 'approve' });
    expect(await nextStep(refusal, false)).toEqual({ kind: 'reload' });
  });

  test('reloads after a change of the base branch, without asking GitHub', async () => {
    const requests = github('');
    expect(await nextStep(new ApiError(problemOf('baseMoved')))).toEqual({ kind: 'reload' });
    expect(requests).toEqual([]);
  });

  test('calls an address that the server can’t read an incomplete link', async () => {
    const error = new ApiError(problemOf('malformed', { detail: 'missing pr' }));
    expect(await toProblem(deps, { target, error, isShown: false })).toEqual({
      text: expect.stringMatching(/^This link is incomplete/),
      next: { kind: 'reload' },
    });
  });

  test.each([
    ['GitHub does not answer', new ApiError(problemOf('githubUnavailable'))],
    ['the record store does not answer', new ApiError(problemOf('storeUnavailable'))],
    ['a proxy answers', new ApiError({ status: 502 })],
    ['nobody answers', new ApiError()],
  ])('says if %s that nothing is lost and offers a retry', async (_, error) => {
    expect(await toProblem(deps, { target, error, isShown: true })).toEqual({
      text: expect.stringMatching(/Nothing is lost: .*try again/),
      next: { kind: 'retry' },
    });
    expect(await toProblem(deps, { target, error, isShown: false })).toMatchObject({
      text: expect.stringContaining('Nothing is lost'),
      next: { kind: 'reload' },
    });
  });

  test('offers a reload, not an approval, after refusing a statement', async () => {
    expect(await nextStep(new StatementRefused('another commit'))).toEqual({ kind: 'reload' });
  });
});

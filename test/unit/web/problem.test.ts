import { afterEach, describe, expect, test } from '@jest/globals';
import { toProblem } from '../../../web/src/features/approval/problem.ts';
import { StatementRefused } from '../../../web/src/features/approval/request.ts';
import { ApiError, NO_ANSWER } from '../../../web/src/lib/api-client.ts';
import { target } from './approval-fixture.ts';

const config = {
  origin: 'https://guard.example.org',
  github: 'https://github.com',
  githubApi: 'https://api.github.com',
  install: null,
};
const deps = { config, accessToken: () => 'ghu_token' };
const NEW_HEAD = 'f'.repeat(40);
const realFetch = globalThis.fetch;

afterEach(() => {
  globalThis.fetch = realFetch;
});

/** GitHub as it answers for this pull request; a text is no JSON. */
function github(answer: object | string) {
  const asked: [string, unknown][] = [];
  globalThis.fetch = async (url, init) => {
    asked.push([String(url), init?.headers]);
    return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer));
  };
  return asked;
}

const next = async (error: unknown, shown = true) => (await toProblem(deps, { target, error, shown }))?.next;
const conflict = new ApiError(409, 'This pull request has a new commit. Look at it, then approve again.');

describe('toProblem', () => {
  test('offers the new head when the pull request moved on', async () => {
    const asked = github({ head: { sha: NEW_HEAD }, state: 'open' });
    expect(await toProblem(deps, { target, error: conflict, shown: true })).toEqual({
      text: conflict.message,
      next: { kind: 'new-head', head: NEW_HEAD },
    });
    expect(asked).toEqual([
      [
        'https://api.github.com/repos/octo-org/hello/pulls/7',
        { Accept: 'application/vnd.github+json', Authorization: 'Bearer ghu_token' },
      ],
    ]);
  });

  test.each<[string, object | string]>([
    ['is closed', { head: { sha: NEW_HEAD }, state: 'closed' }],
    ['cannot be read', 'not json'],
    ['has a head that is none', { head: { sha: '../../x' }, state: 'open' }],
  ])('offers the way back when the pull request %s', async (_, answer) => {
    github(answer);
    expect(await next(conflict)).toEqual({ kind: 'leave' });
  });

  test('offers another look when the head is the same and the base branch is not', async () => {
    github({ head: { sha: target.head }, state: 'open' });
    expect(await next(conflict)).toEqual({ kind: 'reload' });
  });

  test('offers registration to a person without an authenticator', async () => {
    expect(await next(new ApiError(400, 'missing authenticator'), false)).toEqual({ kind: 'register' });
  });

  test('lets the same button try again, or loads the page again when nothing is on the screen', async () => {
    const refusal = new ApiError(403, 'This took too long. Try again.');
    expect(await next(refusal, true)).toEqual({ kind: 'approve' });
    expect(await next(refusal, false)).toEqual({ kind: 'reload' });
  });

  test.each([
    [502, 'GitHub did not answer. Nothing is lost: try again.'],
    [503, 'OTP Guard cannot reach its record store. Nothing is lost: try again in a moment.'],
    [502, NO_ANSWER],
    [0, NO_ANSWER],
  ])('says after a %i that nothing is lost, and offers the same again', async (status, message) => {
    const error = new ApiError(status, message);
    expect(await toProblem(deps, { target, error, shown: true })).toEqual({
      text: expect.stringMatching(/Nothing is lost: .*try again/),
      next: { kind: 'again' },
    });
    expect(await toProblem(deps, { target, error, shown: false })).toMatchObject({
      text: expect.stringContaining('Nothing is lost'),
      next: { kind: 'reload' },
    });
  });

  test('offers no approval of a statement that was refused', async () => {
    expect(await next(new StatementRefused('another commit'))).toEqual({ kind: 'reload' });
  });
});

import { describe, expect, it } from '@jest/globals';
import { fromGitHub } from '../../../../src/adapters/github/from-github.ts';
import { createTeams } from '../../../../src/adapters/github/members.ts';
import { AppError } from '../../../../src/shared/app-error.ts';
import { codeOf } from '../../../support/code-of.ts';
import { API, appAt } from './app-at.ts';

/** An App at a GitHub that answers with this body. */
function appWith(body: string, type = 'application/json') {
  const sent: (RequestInit & { url: string })[] = [];
  const app = appAt(async (url, request = {}) => {
    sent.push({ url, ...request });
    return new Response(body, { headers: { 'content-type': type } });
  });
  return { app, sent };
}

describe('a failure while GitHub is asked', () => {
  it.each<[string, unknown]>([
    ['a TypeError', new TypeError('x is undefined')],
    [
      'a TypeError while a request was sent',
      Object.assign(new Error(), { status: 500, cause: new TypeError() }),
    ],
    ['a refusal of our own', new AppError('storeUnavailable')],
  ])('stays what it is if it’s our own: %s', async (_what, error) => {
    await expect(fromGitHub(Promise.reject(error))).rejects.toBe(error);
  });

  it.each<[string, unknown]>([
    ['a status', Object.assign(new Error('Bad gateway'), { status: 502 })],
    [
      'no connection',
      Object.assign(new Error('refused'), {
        status: 500,
        cause: new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }),
      }),
    ],
    ['a query that failed', Object.assign(new Error('No'), { errors: [{ type: 'FORBIDDEN' }] })],
  ])('is GitHub’s if it’s %s', async (_what, error) => {
    expect(await codeOf(fromGitHub(Promise.reject(error)))).toBe('githubUnavailable');
  });

  it.each<[string, string, unknown]>([
    [
      'permissionMissing',
      'a missing permission',
      { status: 403, message: 'Resource not accessible by integration' },
    ],
    [
      'permissionMissing',
      'a query for want of one',
      { errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible by integration' }] },
    ],
    [
      'githubUnavailable',
      'an IP allow list',
      { status: 403, message: 'The organization has an IP allow list' },
    ],
    [
      'githubUnavailable',
      'a query that was refused and failed',
      {
        errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible by integration' }, { type: 'OTHER' }],
      },
    ],
  ])('is %s if GitHub refuses with %s', async (code, _what, error) => {
    expect(await codeOf(fromGitHub(Promise.reject(Object.assign(new Error(), error))))).toBe(code);
  });

  it.each([
    ['a page of a proxy', '<html></html>', 'text/html'],
    ['JSON that was cut off', '{"id":1,', 'application/json'],
    ['nothing', '', 'application/json'],
    ['null', 'null', 'application/json'],
    ['something binary', 'GIF89a', 'image/gif'],
  ])('is GitHub’s if the answer is %s, and the request is sent again', async (_what, body, type) => {
    const { app, sent } = appWith(body, type);
    const octokit = app.asUser('ghu_1');
    expect(await codeOf(fromGitHub(octokit.request('GET /user')))).toBe('githubUnavailable');
    expect(sent).toHaveLength(2);
  });

  it('isn’t GitHub’s if it’s in how we read a good answer', async () => {
    const { app } = appWith('[null]');
    const repo = { installation: 5, owner: 'o', name: 'r' };
    const membership = createTeams(app).has(repo, '@o/team', { githubId: 1, login: 'o' });
    expect(await codeOf(membership)).toMatchObject({ name: 'TypeError' });
  });
});

describe('each request', () => {
  it('names the version of GitHub’s API that we were written for', async () => {
    const { app, sent } = appWith('{"id":1,"data":{"viewer":null}}');
    await (await app.asApp()).request('GET /app');
    const octokit = await app.asInstallation(5);
    await octokit.request('GET /meta');
    await octokit.graphql('{ viewer { login } }');
    await app.asUser('ghu_1').request('GET /user');
    await app.asClient().rest.apps.checkToken({ client_id: 'c', access_token: 'ghu_1' });
    expect(sent.map(({ url }) => url.slice(API.length))).toEqual([
      ...['/app', '/meta', '/graphql', '/user', '/applications/c/token'],
    ]);
    const basic = `basic ${Buffer.from('c:s').toString('base64')}`;
    expect(new Headers(sent.at(-1)?.headers).get('authorization')).toBe(basic);
    for (const { headers } of sent) expect(headers).toMatchObject({ 'x-github-api-version': '2022-11-28' });
  });
});

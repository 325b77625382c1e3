import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ApprovalParamsAnswer } from '../../../src/contract/approvals.ts';
import { fetchApprovalRequest, PullMoved } from '../../../web/src/features/approval/approval-request.ts';
import { type ApproveDeps, approve } from '../../../web/src/features/approval/approve.ts';
import { approveByCode } from '../../../web/src/features/approval/code-page.tsx';
import { toProblem } from '../../../web/src/features/approval/problem.ts';
import { ApiError } from '../../../web/src/lib/api/api-client.ts';
import { hashOf, refuseStatement } from '../../../web/src/lib/signing/check-statement.ts';
import { StatementRefused } from '../../../web/src/lib/signing/sign-shown.ts';
import { anAnswer, present, pull, screen, statement, target } from './approval-fixture.ts';
import { ASSERTED, fakeApi, problemOf } from './fixtures.ts';

const noFiles = { listed: [], total: 0, isComplete: true };
const hashed = () => hashOf([]);
const ANSWER = {
  redirect: 'https://github.com/octo-org/hello/pull/7',
  reported: true,
  passed: true,
  needs: null,
};

/** The product as the page sees it: `change` alters its next answer, `sent` holds the calls. */
let now: number;
let change: Partial<ApprovalParamsAnswer>;
let sent: ReturnType<typeof fakeApi>['sent'];
let signed: string[];

let deps: ApproveDeps;

const challengesRequested = () => sent.filter(({ path }) => path === '/github-check-webauthn-params').length;

beforeEach(() => {
  now = 1000;
  change = {};
  signed = [];
  const fake = fakeApi({
    '/github-check-webauthn': () => ANSWER,
    '/github-totp-check': () => ANSWER,
    '/github-check-webauthn-params': () => {
      const changed = { ...statement, nonce: `nonce-${sent.length}`, ...change.statement };
      return anAnswer({ ...change, statement: changed });
    },
  });
  sent = fake.sent;
  deps = {
    ...{ screen, now: () => now, type: 'webauthn', accessToken: () => 'ghu_token', api: fake.api },
    async sign({ challenge }) {
      signed.push(challenge);
      return ASSERTED;
    },
  };
});

test('an approval by code names the base branch on the screen, because a code signs nothing', async () => {
  const shown = await fetchApprovalRequest(deps, target);
  await approveByCode(deps, target, shown, '123456');
  expect(sent.at(-1)).toEqual({
    path: '/github-totp-check',
    body: { otp: '123456', ...target, base: statement.base, accessToken: 'ghu_token' },
  });
});

test.each([
  ['was renamed', { repo: 'renamed', repoID: 1296269 }],
  ['was transferred', { owner: 'other-org', ownerID: 10 }],
])('a pull request whose repository %s is shown under its new address first', async (_, to) => {
  const shown = await fetchApprovalRequest(deps, target);
  now += 60_000;
  change = { target: { ...present, ...to } };
  const refused = await approve(deps, target, shown).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(PullMoved);
  expect((refused as PullMoved).address).toMatchObject({ installation: '42', repoID: '1296269' });
  expect(signed).toEqual([]);
});

describe('approve', () => {
  test('signs the challenge on the screen and sends the assertion with the target', async () => {
    const shown = await fetchApprovalRequest(deps, target);
    expect(await approve(deps, target, shown)).toEqual({ kind: 'approved', answer: ANSWER });
    expect(signed).toEqual([shown.options.challenge]);
    expect(sent.at(-1)).toEqual({
      path: '/github-check-webauthn',
      body: { params: target, authResponse: ASSERTED, accessToken: 'ghu_token' },
    });
  });

  test('requests a new challenge if the one on the screen is 45 seconds old', async () => {
    const shown = await fetchApprovalRequest(deps, target);
    now += 45_000;
    expect(await approve(deps, target, shown)).toMatchObject({ kind: 'approved' });
    expect(challengesRequested()).toBe(2);
    expect(signed).not.toContain(shown.options.challenge);
  });

  test.each([
    ['with the files that it gets soon, if the one on the screen covers their list', 'all', hashed, 'soon'],
    ['without them otherwise, even if they were asked for', 'all', undefined, undefined],
  ] as const)('requests a new challenge %s', async (_, asked, files, renewed) => {
    if (files) change = { statement: { ...statement, files: await files() }, files: noFiles };
    const shown = await fetchApprovalRequest(deps, target, undefined, asked);
    now += 45_000;
    expect(await approve(deps, target, shown)).toMatchObject({ kind: 'approved' });
    expect(sent.slice(0, 2).map(({ body }) => body)).toMatchObject([{ files: asked }, { files: renewed }]);
  });

  test.each<[string, Partial<ApprovalParamsAnswer>]>([
    ['title', { pull: { ...pull, title: 'Add a back door' } }],
    ['base branch', { statement: { ...statement, base: 'release' } }],
  ])('signs nothing if the renewed challenge has another %s', async (_, changed) => {
    const shown = await fetchApprovalRequest(deps, target);
    now += 50_000;
    change = changed;
    expect(await approve(deps, target, shown)).toMatchObject({ kind: 'changed' });
    expect(signed).toEqual([]);
  });

  test('signs nothing if the renewed challenge is for another commit', async () => {
    const shown = await fetchApprovalRequest(deps, target);
    now += 50_000;
    change = { statement: { ...statement, head: 'f'.repeat(40) } };
    await expect(approve(deps, target, shown)).rejects.toBeInstanceOf(StatementRefused);
    expect(signed).toEqual([]);
  });

  test('checks a fresh challenge again before it is signed', async () => {
    const shown = await fetchApprovalRequest(deps, target);
    const other = { ...shown, options: { ...shown.options, challenge: 'AAAA' } };
    await expect(approve(deps, target, other)).rejects.toBeInstanceOf(StatementRefused);
    expect(signed).toEqual([]);
  });
});

describe('fetchApprovalRequest', () => {
  test('rejects a challenge that is not the hash of the statement', async () => {
    change = { options: { challenge: 'AAAA' } };
    await expect(fetchApprovalRequest(deps, target)).rejects.toBeInstanceOf(StatementRefused);
  });
});

describe('the challenge of a statement', () => {
  test('is the SHA-256 of the statement’s RFC 8785 form, for any order of its members', async () => {
    const canonical =
      '{"base":"main","head":"6dcb09b5b57875f334f61aebed695e2e4193db5e","host":"https://guard.example.org",' +
      '"iat":1795217206,"nonce":"bm9uY2Utbm9uY2Utbm9uYw","org":{"id":9919,"login":"octo-org"},"pr":7,' +
      '"purpose":"approve","repo":{"id":1296269,"name":"octo-org/hello"},' +
      '"user":{"id":583231,"login":"octocat"},"v":1}';
    const expected = createHash('sha256').update(canonical).digest('base64url');
    expect(await hashOf(statement)).toBe(expected);
    const reversed = Object.fromEntries(Object.entries(statement).reverse()) as typeof statement;
    expect(await hashOf(reversed)).toBe(expected);
  });
});

describe('refuseStatement', () => {
  test('accepts a statement that matches the screen', async () => {
    expect(await refuseStatement(await hashOf(statement), statement, screen, null)).toBeNull();
  });

  test('ignores the case of GitHub names', async () => {
    const shouted = { ...screen, repo: 'Octo-Org/Hello', user: { login: 'OctoCat', githubId: 583231 } };
    expect(await refuseStatement(await hashOf(statement), statement, shouted, null)).toBeNull();
  });

  test('accepts a list of files only if it is the one on the page, and whole', async () => {
    const file = { path: 'a.ts', status: 'added', sha: 'aa'.repeat(20), previousPath: null, rules: [] };
    const shownOnly = { kind: 'text' as const, patch: null, marks: [], anchor: '' };
    const listed = [{ ...file, additions: 1, deletions: 0, ...shownOnly }];
    const shown = { listed, total: 1, isComplete: true };
    const signed = { ...statement, files: await hashOf([['a.ts', 'added', 'aa'.repeat(20)]]) };
    const refused = async (of: typeof signed | typeof statement, files: typeof shown | null) =>
      (await refuseStatement(await hashOf(of), of, screen, files)) !== null;
    expect([await refused(signed, shown), await refused(statement, null)]).toEqual([false, false]);
    expect([
      await refused(signed, { ...shown, listed: [] }),
      await refused(signed, { ...shown, isComplete: false }),
      await refused(signed, null),
      await refused(statement, shown),
    ]).toEqual([true, true, true, true]);
  });

  test('refuses a challenge that isn’t the hash of the statement', async () => {
    const challenge = await hashOf({ ...statement, nonce: 'other' });
    expect(await refuseStatement(challenge, statement, screen, null)).toMatch(
      "something this page doesn't show",
    );
  });

  test.each([
    ['purpose', { v: 2 }],
    ['purpose', { purpose: 'delete' }],
    ['site', { host: 'https://evil.example' }],
    ['person', { user: { id: 583231, login: 'mona' } }],
    ['person', { user: { id: 1, login: 'octocat' } }],
    ['organization', { org: { id: 1, login: 'octo-org' } }],
    ['repository', { repo: { id: 1296269, name: 'octo-org/other' } }],
    ['repository', { repo: { id: 1, name: 'octo-org/hello' } }],
    ['pull request', { pr: 8 }],
    ['commit', { head: '7dcb09b5b57875f334f61aebed695e2e4193db5e' }],
  ])('refuses a different %s, even with the right hash', async (what, change) => {
    const other = { ...statement, ...change } as typeof statement;
    const refusal = await refuseStatement(await hashOf(other), other, screen, null);
    expect(refusal).toMatch(`a different ${what} than this page shows`);
    expect(refusal).toMatch('Nothing was signed');
  });
});

const config = {
  origin: 'https://guard.example.org',
  github: 'https://github.com',
  githubApi: 'https://api.github.com',
  install: null,
};
const problemDeps = { config, accessToken: () => 'ghu_token' };
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
  (await toProblem(problemDeps, { target, error, isShown }))?.next;
const conflict = new ApiError(problemOf('headMoved'));

describe('toProblem', () => {
  test('offers the new head after a conflict over a new commit', async () => {
    const requests = github({ head: { sha: NEW_HEAD }, state: 'open' });
    expect(await toProblem(problemDeps, { target, error: conflict, isShown: true })).toEqual({
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
    expect(await toProblem(problemDeps, { target, error, isShown: false })).toEqual({
      text: expect.stringMatching(/^missing pr\nOpen the link again where you found it/),
      next: { kind: 'reload' },
    });
  });

  test.each([
    ['GitHub does not answer', new ApiError(problemOf('githubUnavailable'))],
    ['the record store does not answer', new ApiError(problemOf('storeUnavailable'))],
    ['a proxy answers', new ApiError({ status: 502 })],
    ['nobody answers', new ApiError()],
  ])('says if %s that nothing is lost and offers a retry', async (_, error) => {
    expect(await toProblem(problemDeps, { target, error, isShown: true })).toEqual({
      text: expect.stringMatching(/Nothing is lost: .*try again/),
      next: { kind: 'retry' },
    });
    expect(await toProblem(problemDeps, { target, error, isShown: false })).toMatchObject({
      text: expect.stringContaining('Nothing is lost'),
      next: { kind: 'reload' },
    });
  });

  test('says what a proxy said in plain text', async () => {
    const error = new ApiError({ status: 503, detail: 'Closed for maintenance.' });
    expect(await toProblem(problemDeps, { target, error, isShown: true })).toEqual({
      text: 'Closed for maintenance.',
      next: { kind: 'retry' },
    });
  });

  test('offers a reload, not an approval, after refusing a statement', async () => {
    expect(await nextStep(new StatementRefused('another commit'))).toEqual({ kind: 'reload' });
  });
});

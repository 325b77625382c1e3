import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ApprovalParamsAnswer } from '../../../src/contract/approvals.ts';
import {
  fetchApprovalRequest,
  PullMoved,
  StatementRefused,
} from '../../../web/src/features/approval/approval-request.ts';
import { type ApproveDeps, approve } from '../../../web/src/features/approval/approve.ts';
import { approveByCode } from '../../../web/src/features/approval/code-page.tsx';
import { statementChallenge } from '../../../web/src/lib/check-statement.ts';
import { screen, statement, target } from './approval-fixture.ts';

/** Where the server says that the pull request is. */
const present = { ...target, installation: 42, ownerID: 9919, repoID: 1296269, pr: 7 };
const pull = {
  title: 'Add a greeting',
  author: null,
  url: '',
  changesUrl: '',
  approvedBefore: null,
  size: null,
};
const ASSERTION = { id: 'credential' };
const ANSWER = {
  redirect: 'https://github.com/octo-org/hello/pull/7',
  reported: true,
  passed: true,
  needs: null,
};

/** The product as the page sees it: `change` alters its next answer, `sent` holds the calls. */
let now: number;
let change: Partial<ApprovalParamsAnswer>;
let sent: { path: string; body: unknown }[];
let signed: string[];

const deps: ApproveDeps = {
  screen,
  now: () => now,
  type: 'webauthn',
  accessToken: () => 'ghu_token',
  sign: async ({ challenge }) => {
    signed.push(challenge);
    return ASSERTION;
  },
  api: {
    async post<Answer>(path: string, body: unknown) {
      sent.push({ path, body });
      if (path === '/github-check-webauthn') return ANSWER as Answer;
      const changed = { ...statement, nonce: `nonce-${sent.length}`, ...change.statement };
      const challenge = await statementChallenge(changed);
      return {
        challenge,
        options: { challenge },
        pull,
        target: present,
        ...change,
        statement: changed,
      } as Answer;
    },
  },
};

const challengesRequested = () => sent.filter(({ path }) => path === '/github-check-webauthn-params').length;

beforeEach(() => {
  now = 1000;
  change = {};
  sent = [];
  signed = [];
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
      body: { params: target, authResponse: ASSERTION, accessToken: 'ghu_token' },
    });
  });

  test('requests a new challenge if the one on the screen is 45 seconds old', async () => {
    const shown = await fetchApprovalRequest(deps, target);
    now += 45_000;
    expect(await approve(deps, target, shown)).toMatchObject({ kind: 'approved' });
    expect(challengesRequested()).toBe(2);
    expect(signed).not.toContain(shown.options.challenge);
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
});

describe('fetchApprovalRequest', () => {
  test('rejects a challenge that is not the hash of the statement', async () => {
    change = { options: { challenge: 'AAAA' } };
    await expect(fetchApprovalRequest(deps, target)).rejects.toBeInstanceOf(StatementRefused);
  });
});

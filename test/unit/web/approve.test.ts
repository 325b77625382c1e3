import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ApprovalParamsAnswer } from '../../../src/contract/approvals.ts';
import { type ApproveDeps, approve } from '../../../web/src/features/approval/approve.ts';
import { askForRequest, StatementRefused } from '../../../web/src/features/approval/request.ts';
import { statementChallenge } from '../../../web/src/lib/statement.ts';
import { screen, statement, target } from './approval-fixture.ts';

const pull = { title: 'Add a greeting', author: null, url: '', changesUrl: '', approvedBefore: null };
const ASSERTION = { id: 'credential' };
const ANSWER = { redirect: 'https://github.com/octo-org/hello/pull/7', reported: true };

/** The product as the page sees it: `change` alters the next question, `sent` is what it was told. */
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
      const asked = { ...statement, nonce: `nonce-${sent.length}`, ...change.statement };
      const challenge = await statementChallenge(asked);
      return { challenge, options: { challenge }, pull, ...change, statement: asked } as Answer;
    },
  },
};

const questions = () => sent.filter(({ path }) => path === '/github-check-webauthn-params').length;

beforeEach(() => {
  now = 1000;
  change = {};
  sent = [];
  signed = [];
});

describe('approve', () => {
  test('signs the challenge that is on the screen and sends the assertion with the target', async () => {
    const shown = await askForRequest(deps, target);
    expect(await approve(deps, target, shown)).toEqual({ kind: 'approved', answer: ANSWER });
    expect(signed).toEqual([shown.options.challenge]);
    expect(sent.at(-1)).toEqual({
      path: '/github-check-webauthn',
      body: { params: target, authResponse: ASSERTION, accessToken: 'ghu_token' },
    });
  });

  test('asks for a new challenge when the one on the screen is 45 seconds old', async () => {
    const shown = await askForRequest(deps, target);
    now += 45_000;
    expect(await approve(deps, target, shown)).toMatchObject({ kind: 'approved' });
    expect(questions()).toBe(2);
    expect(signed).not.toContain(shown.options.challenge);
  });

  test.each<[string, Partial<ApprovalParamsAnswer>]>([
    ['title', { pull: { ...pull, title: 'Add a back door' } }],
    ['base branch', { statement: { ...statement, base: 'release' } }],
  ])('signs nothing when a renewed challenge comes with another %s', async (_, changed) => {
    const shown = await askForRequest(deps, target);
    now += 50_000;
    change = changed;
    expect(await approve(deps, target, shown)).toMatchObject({ kind: 'changed' });
    expect(signed).toEqual([]);
  });

  test('signs nothing when a renewed challenge is about another commit', async () => {
    const shown = await askForRequest(deps, target);
    now += 50_000;
    change = { statement: { ...statement, head: 'f'.repeat(40) } };
    await expect(approve(deps, target, shown)).rejects.toBeInstanceOf(StatementRefused);
    expect(signed).toEqual([]);
  });
});

describe('askForRequest', () => {
  test('refuses options whose challenge is not the hash of the statement', async () => {
    change = { options: { challenge: 'AAAA' } };
    await expect(askForRequest(deps, target)).rejects.toBeInstanceOf(StatementRefused);
  });
});

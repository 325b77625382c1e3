import { expect, test } from '@jest/globals';
import type { ApprovalParamsAnswer } from '../../../src/contract/approvals.ts';
import type { ApprovalRequest } from '../../../web/src/features/approval/approval-request.ts';
import type { Problem } from '../../../web/src/features/approval/problem.ts';
import { type Approval, type View, viewOf } from '../../../web/src/features/approval/view-of.ts';
import { LOADING } from '../../../web/src/lib/signing/use-signing.ts';
import { aDenial, anAnswer } from './approval-fixture.ts';

const TITLE = 'Approve pull request';
const WAITS = 'The check still waits';
const NEEDS = 'Needs 1 more approval.';
const given = { method: 'passkey', at: '2026-05-02T12:00:00Z' } as const;
const denied = (isYours: boolean) => ({ ...aDenial, isYours });
const problem = (next: Problem['next']): Problem => ({ text: 'No.', next });
const answer = (passed: boolean, reported: boolean, needs: string | null = null) => ({
  ...{ redirect: 'https://github.com/octo-org/hello/pull/7', passed, reported, needs },
});

test.each<[string, Partial<ApprovalParamsAnswer> | null, Partial<Approval>, View['page'], string]>([
  ['loads', null, {}, 'form', TITLE],
  ['waits for an approval', {}, {}, 'form', TITLE],
  ['would count for nothing', { refusal: 'You wrote it.' }, {}, 'form', TITLE],
  ['could not be loaded', null, { problem: problem({ kind: 'reload' }) }, 'form', TITLE],
  ['has a new commit', { yourApproval: given }, { problem: problem({ kind: 'retry' }) }, 'form', TITLE],
  ['was approved just now', {}, { answer: answer(true, true) }, 'approved', 'Approved'],
  ['waits elsewhere after it', {}, { answer: answer(true, true, NEEDS) }, 'approved', WAITS],
  ['needs more', {}, { answer: answer(false, true, NEEDS) }, 'waits', WAITS],
  ['is not reported yet', {}, { answer: answer(true, false) }, 'waits', WAITS],
  ['has the person’s approval', { yourApproval: given, passed: true }, {}, 'own', 'Approved'],
  ['has it and needs more', { yourApproval: given, needs: NEEDS }, {}, 'own', WAITS],
  ['had it', { yourApproval: given, passed: true }, { isWithdrawn: true }, 'own', TITLE],
  ['the person denied', { denials: [denied(true)], yourApproval: given }, {}, 'denied', 'Denied'],
  ['the person denied until now', { denials: [denied(true)] }, { isWithdrawn: true }, 'denied', TITLE],
  ['has it, and a denial', { denials: [denied(false)], yourApproval: given }, {}, 'own', 'Denied'],
  ['another person denied', { denials: [denied(false)], needs: NEEDS }, {}, 'form', TITLE],
  ['passes by others', { passed: true }, {}, 'passed', 'Approved'],
  ['passes, but not elsewhere', { passed: true, needs: NEEDS }, {}, 'passed', WAITS],
  ['passes, and the form is wanted', { passed: true }, { form: 'show' }, 'form', TITLE],
  ['passes, and no form', { passed: true, refusal: 'No.' }, { form: 'show' }, 'passed', 'Approved'],
  ['passes, and is to be denied', { passed: true }, { form: 'deny' }, 'form', 'Deny pull request'],
  ['can’t be denied by the person', { refusal: 'No.' }, { form: 'deny' }, 'form', TITLE],
  ['can’t be denied now', {}, { form: 'deny', problem: problem({ kind: 'reload' }) }, 'form', TITLE],
  [
    'was merged',
    { passed: true },
    { problem: problem({ kind: 'over', how: 'merged' }) },
    'merged',
    'Pull request merged',
  ],
  [
    'was closed before',
    null,
    { problem: problem({ kind: 'over', how: 'closed' }) },
    'closed',
    'Pull request closed',
  ],
])('a pull request that %s has its page', async (_, change, state, page, title) => {
  const request: ApprovalRequest | null = change && {
    ...{ ...(await anAnswer(change)), requestedAt: 0, asked: undefined },
  };
  const status = request ? 'awaiting' : 'loading';
  expect(viewOf({ ...LOADING, status, request, ...state })).toMatchObject({
    page,
    title,
  });
});

import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import type { ApprovalRequest } from './approval-request.ts';
import type { ApprovalTarget } from './approval-target.ts';
import type { ApprovalOutcome, ApproveDeps } from './approve.ts';

/**
 * Approves the commit on the screen with a one-time code. The server refuses if it's no longer the head, or goes into
 * another branch than the screen shows.
 * Rejects with an `ApiError`; nothing is approved then.
 */
export async function approveByCode(
  { api, accessToken }: Pick<ApproveDeps, 'api' | 'accessToken'>,
  target: ApprovalTarget,
  { statement }: ApprovalRequest,
  otp: string,
): Promise<ApprovalOutcome> {
  const answer = await api.post<ApprovalAnswer>('/github-totp-check', {
    otp,
    ...target,
    base: statement.base,
    accessToken: accessToken(),
  });
  return { kind: 'approved', answer };
}

import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import type { ApprovalRequest } from './approval-request.ts';
import type { ApprovalTarget } from './approval-target.ts';
import type { ApprovalOutcome, ApproveDeps } from './approve.ts';

/**
 * Approves the commit on the screen with a one-time code; the server refuses if it's no longer the head.
 * Rejects with an `ApiError`; nothing is approved then.
 */
export async function approveByCode(
  { api, accessToken }: Pick<ApproveDeps, 'api' | 'accessToken'>,
  target: ApprovalTarget,
  _shown: ApprovalRequest,
  otp: string,
): Promise<ApprovalOutcome> {
  const answer = await api.post<ApprovalAnswer>('/github-totp-check', {
    otp,
    ...target,
    accessToken: accessToken(),
  });
  return { kind: 'approved', answer };
}

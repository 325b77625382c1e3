import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import type { ApprovalOutcome, ApproveDeps } from './approve.ts';
import type { Request } from './request.ts';
import type { Target } from './target.ts';

/**
 * Sends the code for the commit that is on the screen; the server refuses when that is the head no more.
 * Rejects with an `ApiError`; nothing is approved then.
 */
export async function approveByCode(
  { api, accessToken }: Pick<ApproveDeps, 'api' | 'accessToken'>,
  target: Target,
  _shown: Request,
  otp: string,
): Promise<ApprovalOutcome> {
  const answer = await api.post<ApprovalAnswer>('/github-totp-check', {
    otp,
    ...target,
    accessToken: accessToken(),
  });
  return { kind: 'approved', answer };
}

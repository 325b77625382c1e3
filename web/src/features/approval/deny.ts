import type { DenialAnswer } from '../../../../src/contract/denials.ts';
import { refuseDenial } from '../../lib/signing/check-denial.ts';
import { type Options, StatementRefused } from '../../lib/signing/sign-shown.ts';
import type { ApprovalRequest } from './approval-request.ts';
import type { ApprovalTarget } from './approval-target.ts';
import type { ApproveDeps } from './approve.ts';

/**
 * Denies the commit on the screen with a signature over the reason too. Rejects with an `ApiError`, a `StatementRefused`,
 * or the authenticator's error; nothing is denied then.
 */
export async function denyByKey(
  { api, accessToken, screen, sign }: ApproveDeps,
  target: ApprovalTarget,
  { statement: { base } }: ApprovalRequest,
  reason: string,
): Promise<DenialAnswer> {
  const body = { ...target, type: 'webauthn', reason, accessToken: accessToken() };
  const { options, statement } = await api.post('/deny-params', body);
  const refusal = await refuseDenial(options.challenge, statement, { ...screen, base, reason });
  if (refusal) throw new StatementRefused(refusal);
  const authResponse = await sign(options as Options);
  return api.post('/deny', { params: target, reason, authResponse, accessToken: accessToken() });
}

/** Denies the commit with a one-time code. Rejects with an `ApiError`; nothing is denied then. */
export const denyByCode = (
  { api, accessToken }: Pick<ApproveDeps, 'api' | 'accessToken'>,
  target: ApprovalTarget,
  reason: string,
  otp: string,
): Promise<DenialAnswer> => api.post('/deny', { params: target, reason, otp, accessToken: accessToken() });

import type { startAuthentication } from '@simplewebauthn/browser';
import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import { sameApproval } from '../../lib/check-statement.ts';
import {
  type ApprovalRequest,
  checkApprovalRequest,
  fetchApprovalRequest,
  type RequestDeps,
  sendApproval,
} from './approval-request.ts';
import type { ApprovalTarget } from './approval-target.ts';

/** The server keeps a challenge for 60 seconds; the person needs some of them for the prompt. */
const CHALLENGE_FRESH_MS = 45_000;

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

export type ApproveDeps = RequestDeps & {
  /** Signs the challenge with the person's authenticator. */
  sign: (options: Options) => Promise<unknown>;
};

export type ApprovalOutcome =
  | { kind: 'approved'; answer: ApprovalAnswer }
  /** The server's facts differ from the screen; nothing was signed. */
  | { kind: 'changed'; request: ApprovalRequest };

/**
 * Signs what is on the screen and sends the approval. An old challenge is renewed first, and the new one is signed only
 * if everything else is as shown.
 *
 * Rejects with an `ApiError`, a `StatementRefused`, or the authenticator's error.
 */
export async function approve(
  deps: ApproveDeps,
  target: ApprovalTarget,
  shown: ApprovalRequest,
): Promise<ApprovalOutcome> {
  const isFresh = deps.now() - shown.requestedAt < CHALLENGE_FRESH_MS;
  const request = isFresh ? shown : await fetchApprovalRequest(deps, target);
  if (!looksTheSame(request, shown)) return { kind: 'changed', request };
  await checkApprovalRequest(deps, request);
  // The contract allows any transport name; the library's type lists only the ones known today.
  const authResponse = await deps.sign(request.options as Options);
  return { kind: 'approved', answer: await sendApproval(deps, target, authResponse) };
}

function looksTheSame(a: ApprovalRequest, b: ApprovalRequest): boolean {
  return sameApproval(a.statement, b.statement) && JSON.stringify(a.pull) === JSON.stringify(b.pull);
}

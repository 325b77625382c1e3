import type { startAuthentication } from '@simplewebauthn/browser';
import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import { sameApproval } from '../../lib/statement.ts';
import { askForRequest, checkRequest, type Request, type RequestDeps, sendApproval } from './request.ts';
import type { Target } from './target.ts';

/** The server keeps a challenge for 60 seconds, and a person needs some of them for the prompt. */
export const CHALLENGE_FRESH_MS = 45_000;

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

export type ApproveDeps = RequestDeps & {
  /** Has the person's authenticator sign. */
  sign: (options: Options) => Promise<unknown>;
};

export type ApprovalOutcome =
  | { kind: 'approved'; answer: ApprovalAnswer }
  /** Something on the screen is different by now; nothing was signed. */
  | { kind: 'changed'; request: Request };

/**
 * Lets the person's authenticator sign what is on the screen, and nothing else. A challenge that is too old is
 * renewed first, and used only if everything but the moment is as it was shown.
 *
 * Rejects with an `ApiError`, a `StatementRefused`, or what the authenticator reported.
 */
export async function approve(deps: ApproveDeps, target: Target, shown: Request): Promise<ApprovalOutcome> {
  const request = deps.now() - shown.askedAt < CHALLENGE_FRESH_MS ? shown : await askForRequest(deps, target);
  if (!looksTheSame(request, shown)) return { kind: 'changed', request };
  await checkRequest(deps, request);
  // The contract leaves the names of transports open; the library lists those of today.
  const authResponse = await deps.sign(request.options as Options);
  return { kind: 'approved', answer: await sendApproval(deps, target, authResponse) };
}

function looksTheSame(a: Request, b: Request): boolean {
  return sameApproval(a.statement, b.statement) && JSON.stringify(a.pull) === JSON.stringify(b.pull);
}

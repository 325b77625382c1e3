import type { ApprovalAnswer, ApprovalParamsAnswer } from '../../../../src/contract/approvals.ts';
import type { Poster } from '../../lib/api-client.ts';
import { type OnScreen, refuseStatement } from '../../lib/check-statement.ts';
import type { ApprovalTarget } from './approval-target.ts';

/** The challenge to sign, and the facts about it that the page shows. */
export type ApprovalRequest = ApprovalParamsAnswer & {
  /** When the challenge was requested, in milliseconds of `performance.now()`. */
  requestedAt: number;
};

export type RequestDeps = {
  api: Poster;
  accessToken: () => string;
  screen: OnScreen;
  now: () => number;
  /** The method that the person approves with. */
  type: 'webauthn' | 'totp';
};

/** The server's statement doesn't describe what the page shows. */
export class StatementRefused extends Error {}

/** Requests a challenge for one commit. Rejects with an `ApiError` or `StatementRefused`. */
export async function fetchApprovalRequest(
  deps: RequestDeps,
  target: ApprovalTarget,
  signal?: AbortSignal,
): Promise<ApprovalRequest> {
  const requestedAt = deps.now();
  const answer = await deps.api.post<ApprovalParamsAnswer>(
    '/github-check-webauthn-params',
    { type: deps.type, ...target, accessToken: deps.accessToken() },
    signal,
  );
  await checkApprovalRequest(deps, answer);
  return { ...answer, requestedAt };
}

/** Rejects with `StatementRefused`. Checks `options.challenge`, because that's what the authenticator signs. */
export async function checkApprovalRequest(
  { screen }: Pick<RequestDeps, 'screen'>,
  answer: ApprovalParamsAnswer,
) {
  const refusal = await refuseStatement(answer.options.challenge, answer.statement, screen);
  if (refusal) throw new StatementRefused(refusal);
}

/** Sends the signature. Rejects with an `ApiError`; nothing is approved then. */
export function sendApproval(
  deps: RequestDeps,
  target: ApprovalTarget,
  authResponse: unknown,
): Promise<ApprovalAnswer> {
  return deps.api.post('/github-check-webauthn', {
    params: target,
    authResponse,
    accessToken: deps.accessToken(),
  });
}

import type { ApprovalAnswer, ApprovalParamsAnswer } from '../../../../src/contract/approvals.ts';
import type { Poster } from '../../lib/api-client.ts';
import { type OnScreen, refuseStatement } from '../../lib/statement.ts';
import type { Target } from './target.ts';

/** What the person is asked to sign, as it is on the screen. */
export type Request = ApprovalParamsAnswer & {
  /** When it was asked for, in milliseconds of the page's own clock; a challenge does not live long. */
  askedAt: number;
};

export type RequestDeps = {
  api: Poster;
  accessToken: () => string;
  screen: OnScreen;
  now: () => number;
  /** With what the person approves. */
  type: 'webauthn' | 'totp';
};

/** The server asked to sign something else than what the page is about. */
export class StatementRefused extends Error {}

/** Asks for a challenge. Rejects with an `ApiError`, or with `StatementRefused`. */
export async function askForRequest(
  deps: RequestDeps,
  target: Target,
  signal?: AbortSignal,
): Promise<Request> {
  const askedAt = deps.now();
  const answer = await deps.api.post<ApprovalParamsAnswer>(
    '/github-check-webauthn-params',
    { type: deps.type, ...target, accessToken: deps.accessToken() },
    signal,
  );
  await checkRequest(deps, answer);
  return { ...answer, askedAt };
}

/** Refuses what the person's key may not sign. What counts is `options.challenge`: that is what the key gets. */
export async function checkRequest({ screen }: Pick<RequestDeps, 'screen'>, answer: ApprovalParamsAnswer) {
  const refusal = await refuseStatement(answer.options.challenge, answer.statement, screen);
  if (refusal) throw new StatementRefused(refusal);
}

/** Sends the signature. Rejects with an `ApiError`; nothing is approved then. */
export function sendApproval(
  deps: RequestDeps,
  target: Target,
  authResponse: unknown,
): Promise<ApprovalAnswer> {
  return deps.api.post('/github-check-webauthn', {
    params: target,
    authResponse,
    accessToken: deps.accessToken(),
  });
}

import { incompleteText } from '../../components/incomplete.tsx';
import type { Config } from '../../lib/address/config.ts';
import { ApiError, codeOf, NO_ANSWER, NOTHING_LOST } from '../../lib/api/api-client.ts';
import { StatementRefused } from '../../lib/signing/sign-shown.ts';
import { NOTHING_APPROVED, webauthnErrorText } from '../../lib/signing/webauthn-errors.ts';
import { afterConflict } from './after-conflict.ts';
import type { ApprovalTarget } from './approval-target.ts';

/** Why there is no approval yet, and what the person can do next. */
export type Problem = {
  text: string;
  next:
    | { kind: 'approve' }
    /** Send the same approval again: there was no answer, or a failure that may pass. */
    | { kind: 'retry' }
    | { kind: 'reload' }
    | { kind: 'register' }
    | { kind: 'new-head'; head: string }
    | { kind: 'back-to-pull' }
    /** Nothing: the pull request is merged or closed. */
    | { kind: 'over'; how: PullEnd };
};

/** Tells whether the same control can try again. */
export const canRetry = (problem: Problem | null): problem is Problem =>
  problem?.next.kind === 'approve' || problem?.next.kind === 'retry';

export type PullEnd = 'merged' | 'closed';

/** The end of the pull request, if that's why the server refused. Else null. */
export function endOf(error: unknown): PullEnd | null {
  const code = codeOf(error);
  if (code === 'pullMerged') return 'merged';
  return code === 'pullClosed' ? 'closed' : null;
}

type Deps = { config: Config; accessToken: () => string };

/** `isShown` says whether the pull request is on the screen, so that the same button can try again. */
type Input = { target: ApprovalTarget; error: unknown; isShown: boolean; isDenial?: boolean };

/** Explains a failed approval to the person; null if there is nothing to say. */
export async function toProblem(deps: Deps, input: Input): Promise<Problem | null> {
  const { error } = input;
  if (error instanceof StatementRefused) return { text: error.message, next: { kind: 'reload' } };
  if (error instanceof ApiError) {
    return { text: textOf(input, error), next: await afterRefusal(deps, { ...input, error }) };
  }
  const text = webauthnErrorText(error, {
    nothing: input.isDenial ? 'Nothing was denied.' : NOTHING_APPROVED,
  });
  return text === null ? null : { text, next: { kind: 'approve' } };
}

function textOf({ isShown }: Input, { code, mayPass, message }: ApiError): string {
  if (code === null && mayPass && message === NO_ANSWER) return NOTHING_LOST;
  // Before anything is shown, only the address can be wrong.
  return code === 'malformed' && !isShown ? incompleteText(message) : message;
}

async function afterRefusal(
  deps: Deps,
  { target, error, isShown }: Input & { error: ApiError },
): Promise<Problem['next']> {
  if (error.code === 'missingAuthenticator') return { kind: 'register' };
  const how = endOf(error);
  if (how) return { kind: 'over', how };
  if (error.code === 'headMoved') return afterConflict(deps, target);
  if (!isShown || error.code === 'baseMoved') return { kind: 'reload' };
  return { kind: error.mayPass ? 'retry' : 'approve' };
}

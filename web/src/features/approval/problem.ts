import { incompleteText } from '../../components/incomplete.tsx';
import type { Config } from '../../lib/address/config.ts';
import { ApiError, codeOf } from '../../lib/api/api-client.ts';
import { StatementRefused } from '../../lib/signing/sign-shown.ts';
import { NOTHING_APPROVED, signingErrorText } from '../../lib/signing/webauthn-errors.ts';
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
  const { error, isShown, isDenial } = input;
  const text = signingErrorText(error, isDenial ? 'Nothing was denied.' : NOTHING_APPROVED);
  if (text === null) return null;
  // Before anything is shown, only the address can be wrong.
  const isIncomplete = codeOf(error) === 'malformed' && !isShown;
  return { text: isIncomplete ? incompleteText(text) : text, next: await nextOf(deps, input) };
}

async function nextOf(deps: Deps, { target, error, isShown }: Input): Promise<Problem['next']> {
  if (error instanceof StatementRefused) return { kind: 'reload' };
  if (!(error instanceof ApiError)) return { kind: 'approve' };
  if (error.code === 'missingAuthenticator') return { kind: 'register' };
  const how = endOf(error);
  if (how) return { kind: 'over', how };
  if (error.code === 'headMoved') return afterConflict(deps, target);
  if (!isShown || error.code === 'baseMoved') return { kind: 'reload' };
  return { kind: error.mayPass ? 'retry' : 'approve' };
}

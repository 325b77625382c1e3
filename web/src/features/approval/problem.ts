import type { PullOver } from '../../../../src/contract/approvals.ts';
import { ApiError, NO_ANSWER } from '../../lib/api-client.ts';
import type { Config } from '../../lib/config.ts';
import { readLivePull } from '../../lib/github.ts';
import { webauthnErrorText } from '../../lib/webauthn-errors.ts';
import { StatementRefused } from './approval-request.ts';
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

export type PullEnd = 'merged' | 'closed';

const ENDS: Record<PullOver, PullEnd> = {
  'This pull request was merged.': 'merged',
  'This pull request is closed.': 'closed',
};

/** How the pull request ended, if that's why the server refused; else null. */
export const endOf = (error: unknown): PullEnd | null =>
  error instanceof ApiError && error.status === 409 ? (ENDS[error.message as PullOver] ?? null) : null;

/** True in every case: a stored approval stays stored, and one that wasn't stored can be given again. */
const NOTHING_LOST = "OTP Guard didn't answer. Nothing is lost: check your connection, then try again.";

type Deps = { config: Config; accessToken: () => string };

/** `isShown` says whether the pull request is on the screen, so that the same button can try again. */
type Input = { target: ApprovalTarget; error: unknown; isShown: boolean };

/** Explains a failed approval to the person; null if there is nothing to say. */
export async function toProblem(deps: Deps, input: Input): Promise<Problem | null> {
  const { error } = input;
  if (error instanceof StatementRefused) return { text: error.message, next: { kind: 'reload' } };
  if (error instanceof ApiError) {
    const text = error.message === NO_ANSWER ? NOTHING_LOST : error.message;
    return { text, next: await afterRefusal(deps, { ...input, error }) };
  }
  const text = webauthnErrorText(error, 'authentication');
  return text === null ? null : { text, next: { kind: 'approve' } };
}

async function afterRefusal(
  deps: Deps,
  { target, error, isShown }: Input & { error: ApiError },
): Promise<Problem['next']> {
  if (error.message === 'missing authenticator') return { kind: 'register' };
  const how = endOf(error);
  if (how) return { kind: 'over', how };
  if (error.status === 409) return afterConflict(deps, target);
  if (!isShown) return { kind: 'reload' };
  return { kind: error.status === 0 || error.status >= 500 ? 'retry' : 'approve' };
}

/**
 * The head or the base branch changed, or the pull request was closed. The server's sentence says which, but its status
 * is the same for all, so this reads the pull request.
 */
async function afterConflict(
  { config, accessToken }: Deps,
  target: ApprovalTarget,
): Promise<Problem['next']> {
  const live = await readLivePull(config, accessToken(), target);
  if (!live?.open) return { kind: 'back-to-pull' };
  return live.head === target.head ? { kind: 'reload' } : { kind: 'new-head', head: live.head };
}

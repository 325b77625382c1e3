import type { PullEnd } from './problem.ts';
import type { Approval } from './use-approval.ts';

/** The query parameter that asks for the form although the pull request passes without the person. */
export const APPROVE_TOO = { form: 'show' };

/** The state of a pull request for which the person has nothing left to do. */
export type Finish =
  /** The person's own approval. */
  | 'own'
  /** The pull request passes by the approvals of others. */
  | 'passed'
  /** The person has just approved it, and its check doesn't pass on GitHub yet. */
  | 'waits'
  | PullEnd;

/** Null if the page shows the form. */
export function finishOf({ request, problem, answer }: Approval, wantsForm: boolean): Finish | null {
  if (problem) return problem.next.kind === 'over' ? problem.next.how : null;
  if (answer) return answer.passed && answer.reported ? null : 'waits';
  if (request?.yourApproval) return 'own';
  return request?.passed && !(wantsForm && request.refusal === null) ? 'passed' : null;
}

export const WAITS = 'The check still waits';

/** The card's line if it doesn't ask for an approval; null if it asks. The server says whether the check passes. */
export function verdictOf({ request, answer }: Approval, finish: Finish | null): string | null {
  const verdict = answer ?? (finish === 'own' || finish === 'passed' ? request : null);
  if (!verdict) return null;
  return finish !== 'waits' && verdict.passed && !verdict.needs ? 'Approved' : WAITS;
}

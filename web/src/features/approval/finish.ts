import type { PullEnd } from './problem.ts';
import type { Approval } from './use-approval.ts';

/** The query parameter that asks for the form although the pull request passes without the person. */
export const APPROVE_TOO = { form: 'show' };

/** What the page shows of a pull request for which the person has nothing left to do. */
export type Finish =
  /** The person's own approval. */
  | 'own'
  /** That the pull request passes by the approvals of others. */
  | 'passed'
  /** What the person has just approved, whose check doesn't pass on GitHub yet. */
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

/** What the card says instead of asking for an approval; null if it asks. The server says whether the check passes. */
export function verdictOf({ request, answer }: Approval, finish: Finish | null): string | null {
  const verdict = answer ?? (finish === 'own' || finish === 'passed' ? request : null);
  if (!verdict) return null;
  return finish !== 'waits' && verdict.passed && !verdict.needs ? 'Approved' : WAITS;
}

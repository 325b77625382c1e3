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
  /** Only the proofs, because GitHub doesn't show the check yet. */
  | 'proofs'
  | PullEnd;

/** Null if the page shows the form. */
export function finishOf({ request, problem, answer }: Approval, wantsForm: boolean): Finish | null {
  if (problem) return problem.next.kind === 'over' ? problem.next.how : null;
  if (answer) return answer.reported ? null : 'proofs';
  if (request?.yourApproval) return 'own';
  return request?.passed && !(wantsForm && request.refusal === null) ? 'passed' : null;
}

import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import type { Phase } from '../../lib/signing/sign-shown.ts';
import type { ApprovalRequest } from './approval-request.ts';
import { TITLE } from './approval-target.ts';
import type { Problem, PullEnd } from './problem.ts';

/** The state of an approval page. */
export type Approval = {
  status: 'loading' | 'awaiting' | Phase | 'complete';
  /** The request on the screen; null until the server has answered. */
  request: ApprovalRequest | null;
  problem: Problem | null;
  answer: ApprovalAnswer | null;
  /** True if the person has just taken back the approval or the denial that the request says they gave. */
  isWithdrawn: boolean;
  /** True if the address asks for the form although the pull request passes without the person. */
  wantsForm: boolean;
};

export const LOADING: Approval = {
  ...{ status: 'loading', request: null, problem: null, answer: null },
  ...{ isWithdrawn: false, wantsForm: false },
};

/** The query parameter that asks for the form although the pull request passes without the person. */
export const APPROVE_TOO = { form: 'show' };
export const isFormWanted = (search: string): boolean =>
  new URLSearchParams(search).get('form') === APPROVE_TOO.form;

/** One of the eight pages. All but the first two are shown by `finished.tsx`. */
export type View =
  /** Asks for an approval, once there is a request. */
  | { page: 'form'; title: string }
  /** The person has just approved it, and its check passes on GitHub. */
  | { page: 'approved'; title: string; answer: ApprovalAnswer }
  | FinishedView;

export type FinishedView =
  /** The person has just approved it, and its check doesn't pass on GitHub yet. */
  | { page: 'waits'; title: string; answer: ApprovalAnswer }
  /** The person's own approval. */
  | { page: 'own'; title: string; request: ApprovalRequest }
  /** The person's own denial. */
  | { page: 'denied'; title: string; request: ApprovalRequest }
  /** The pull request passes by the approvals of others. */
  | { page: 'passed'; title: string; request: ApprovalRequest }
  | { page: PullEnd; title: string };

export const WAITS = 'The check still waits';
/** The server says whether the check passes. */
export const verdictOf = ({ passed, needs }: { passed: boolean; needs: string | null }): string =>
  passed && !needs ? 'Approved' : WAITS;
const DENIED = 'Denied';

export function viewOf({ request, problem, answer, isWithdrawn, wantsForm }: Approval): View {
  if (problem?.next.kind === 'over') {
    const { how } = problem.next;
    return { page: how, title: `Pull request ${how}` };
  }
  if (problem) return { page: 'form', title: TITLE };
  if (answer) {
    const isPassing = answer.passed && answer.reported;
    return isPassing
      ? { page: 'approved', title: verdictOf(answer), answer }
      : { page: 'waits', title: WAITS, answer };
  }
  const isDenied = request && request.denials.length > 0;
  if (isDenied && request.denials.some(({ isYours }) => isYours))
    return { page: 'denied', title: isWithdrawn ? TITLE : DENIED, request };
  if (request?.yourApproval) {
    const title = isDenied ? DENIED : verdictOf(request);
    return { page: 'own', title: isWithdrawn ? TITLE : title, request };
  }
  if (request?.passed && !(wantsForm && request.refusal === null))
    return { page: 'passed', title: verdictOf(request), request };
  return { page: 'form', title: TITLE };
}

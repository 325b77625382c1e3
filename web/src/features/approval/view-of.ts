import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import type { Signing } from '../../lib/signing/use-signing.ts';
import type { ApprovalRequest } from './approval-request.ts';
import { TITLE } from './approval-target.ts';
import { canRetry, type Problem, type PullEnd } from './problem.ts';

/** The state of an approval page. */
export type Approval = Signing<ApprovalRequest, Problem, ApprovalAnswer> & {
  /** True if the person has just taken back the approval or the denial that the request says they gave. */
  isWithdrawn?: boolean;
  /** The form that the address asks for; null if it leaves that to the page. */
  form?: AskedForm | null;
};

/** `show` asks for the form although the pull request passes without the person, and `deny` for the one that denies it. */
const ASKED_FORMS = ['show', 'deny'] as const;
type AskedForm = (typeof ASKED_FORMS)[number];
/** The query parameters that ask for a form. */
export const APPROVE_TOO = { form: 'show' } satisfies { form: AskedForm };
export const DENY = { form: 'deny' } satisfies { form: AskedForm };
export const askedForm = (search: string): AskedForm | null =>
  ASKED_FORMS.find((form) => form === new URLSearchParams(search).get('form')) ?? null;

/** One of the eight pages. All but the first two are shown by `finished.tsx`. */
export type View =
  /** Asks for an approval, once there is a request, or for a denial. */
  | { page: 'form'; title: string; isDenial: boolean }
  /** The person has just approved it, and its check passes on GitHub. */
  | { page: 'approved'; title: string; answer: ApprovalAnswer }
  | FinishedView;

export type FinishedView =
  /** The person has just approved it, and its check doesn't pass on GitHub yet. */
  | { page: 'waits'; title: string; answer: ApprovalAnswer; isDenied: boolean }
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

/** Tells whether the person can deny the pull request instead of approving it, as far as the page knows. */
export const mayDeny = ({ request, problem }: Approval): boolean =>
  !request?.refusal && (problem === null || canRetry(problem));

export function viewOf(approval: Approval): View {
  const { request, problem, answer, isWithdrawn, form } = approval;
  const isDenied = (request?.denials ?? []).length > 0;
  const isDenial = form === 'deny' && mayDeny(approval);
  const formView = { page: 'form', title: isDenial ? 'Deny pull request' : TITLE, isDenial } as const;
  if (problem?.next.kind === 'over') {
    const { how } = problem.next;
    return { page: how, title: `Pull request ${how}` };
  }
  if (answer) {
    const isPassing = answer.passed && answer.reported;
    return isPassing
      ? { page: 'approved', title: verdictOf(answer), answer }
      : { page: 'waits', title: WAITS, answer, isDenied };
  }
  if (problem) return formView;
  if (request?.denials.some(({ isYours }) => isYours))
    return { page: 'denied', title: isWithdrawn ? TITLE : DENIED, request };
  if (request?.yourApproval) {
    const title = isDenied ? DENIED : verdictOf(request);
    return { page: 'own', title: isWithdrawn ? TITLE : title, request };
  }
  if (request?.passed && !(form && request.refusal === null))
    return { page: 'passed', title: verdictOf(request), request };
  return formView;
}

import { createContext, useCallback, useContext, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import { keepQuery } from '../../lib/address/page-context.ts';
import type { PageState } from '../../lib/address/page-state.ts';
import { useBackOnline } from '../../lib/react/use-back-online.ts';
import { useClient, usePageContext, usePageState } from '../../lib/react/use-client.ts';
import { type SignOutcome, StatementRefused } from '../../lib/signing/sign-shown.ts';
import { useSignDeps, useSigning } from '../../lib/signing/use-signing.ts';
import { type Address, type ApprovalRequest, fetchApprovalRequest, PullMoved } from './approval-request.ts';
import type { ApprovalTarget } from './approval-target.ts';
import { type ApprovalOutcome, type ApproveDeps, approveDeps, looksTheSameButFiles } from './approve.ts';
import type { Begun } from './begin-approval.ts';
import { type Problem, toProblem } from './problem.ts';
import { CHANGED, useChanges, useWholeList } from './use-current.ts';
import { type Approval, askedForm } from './view-of.ts';

/** A way to approve: with a passkey or security key, or with a code that the person types. */
export type ApprovalMethod = {
  type: ApproveDeps['type'];
  icon: string;
  /** The person's means of approval, such as `a passkey`. */
  text: string;
  /** Rejects with an `ApiError`, a `StatementRefused`, or the authenticator's error. */
  approve(
    deps: ApproveDeps,
    target: ApprovalTarget,
    shown: ApprovalRequest,
    code: string,
  ): Promise<ApprovalOutcome>;
};

/** Signs and sends a decision about what is on the screen. A denial has no answer. */
export type Decide = (
  deps: ApproveDeps,
  shown: ApprovalRequest,
) => Promise<SignOutcome<ApprovalRequest, ApprovalAnswer | null>>;

/** The request that the entry made before it loaded the page. */
export const BegunContext = createContext<Begun | null>(null);

const MOVED_AGAIN =
  'The server says that this pull request moved again. Nothing was signed. Open it again from its check on GitHub.';

/** The change that a person has to look at who pressed the button with `shown` on the screen. */
function changeOf(now: ApprovalRequest, shown: ApprovalRequest): Problem {
  if (!looksTheSameButFiles(now, shown)) return CHANGED;
  const text = now.statement.files
    ? "GitHub's list of the changed files is a new one. Look at it, then approve again."
    : "GitHub doesn't list the changed files now, so your signature won't cover them. You can still approve.";
  return { ...CHANGED, text };
}

/**
 * The state of an approval page, from the request to the answer. The page keeps itself up to date until then: it asks for
 * the rest of the files, and looks for new commits. `target` and `method` must keep their identity.
 */
export function useApproval(target: ApprovalTarget, method: ApprovalMethod) {
  const signer = useSignDeps();
  const { config } = useClient();
  const deps = useMemo(() => approveDeps(signer, target, method.type), [signer, target, method]);
  const takeAddress = useTakeAddress();
  const begun = useContext(BegunContext);
  const form = askedForm(useLocation().search);
  const [withdrawn, setWithdrawn] = useState<ApprovalRequest | null>(null);
  const { state, sign, amend, reload } = useSigning(deps, {
    first: begun?.answerFor(deps, target),
    ask: (signal) => begun?.take(deps, target) ?? fetchApprovalRequest(deps, target, signal),
    send: (deps, shown, decide: Decide) => decide(deps, shown),
    changed: changeOf,
    explain(error, isShown): ReturnType<typeof toProblem> | undefined {
      if (error instanceof PullMoved && takeAddress(error.address)) return;
      const refusal = error instanceof PullMoved ? new StatementRefused(MOVED_AGAIN) : error;
      return toProblem(
        { config, accessToken: deps.accessToken },
        { target, error: refusal, isShown, isDenial: form === 'deny' },
      );
    },
  });
  const { request, problem } = state;
  const approval: Approval = { ...state, form, isWithdrawn: request !== null && request === withdrawn };
  useBackOnline(!request && problem?.next.kind === 'reload' ? reload : null);
  const isListing = useWholeList(approval, { deps, target, amend });
  useChanges(approval, { deps, target, amend });
  return {
    ...{ approval, isListing, reload, decide: sign },
    approve: (code = '') => sign((deps, shown) => method.approve(deps, target, shown, code)),
    withdrawn: () => setWithdrawn(request),
  };
}

/**
 * Goes to `/collect` under the pull request's present address, so that the page shows it before anything is signed.
 * Returns false if the page has moved before: then something is wrong, and the person has to decide.
 */
export function useTakeAddress(): (address: Address) => boolean {
  const { search } = useLocation();
  const { owner, repo } = usePageContext();
  const { movedFrom } = usePageState();
  const navigate = useNavigate();
  return useCallback(
    (address) => {
      if (movedFrom) return false;
      // These addresses are only hints, and have the former names.
      const path = keepQuery('/collect', search, { ...address, url: null, headURL: null });
      const state: PageState = { movedFrom: `${owner}/${repo}` };
      void navigate(path, { replace: true, state });
      return true;
    },
    [search, owner, repo, movedFrom, navigate],
  );
}

import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import { keepQuery } from '../../lib/address/page-context.ts';
import { useBackOnline } from '../../lib/react/use-back-online.ts';
import { useClient, usePageContext, useUser } from '../../lib/react/use-client.ts';
import { StatementRefused } from '../../lib/signing/sign-shown.ts';
import { type Signing, useSigning } from '../../lib/signing/use-signing.ts';
import { type Address, type ApprovalRequest, PullMoved, type RequestDeps } from './approval-request.ts';
import type { ApprovalTarget } from './approval-target.ts';
import { type ApprovalOutcome, type ApproveDeps, approveDeps, looksTheSameButFiles } from './approve.ts';
import { begunRequest, fetchOrTakeBegun } from './begin-approval.ts';
import { type Problem, toProblem } from './problem.ts';

type Steps = ReturnType<typeof useSigning<ApprovalRequest, Problem, ApprovalAnswer>>;

export type Approval = Signing<ApprovalRequest, Problem, ApprovalAnswer> & Partial<Pick<Steps, 'amend'>>;

/** A way to approve: with a passkey or security key, or with a code that the person types. */
export type ApprovalMethod = {
  type: RequestDeps['type'];
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

export const CHANGED: Problem = {
  text: 'Something about this pull request changed while the page was open. Look at it, then approve again.',
  next: { kind: 'approve' },
};

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

/** The state of one approval, from the request to the answer. `target` and `method` must keep their identity. */
export function useApproval(target: ApprovalTarget, method: ApprovalMethod) {
  const deps = useApproveDeps(target, method.type);
  const { config } = useClient();
  const takeAddress = useTakeAddress();
  const steps = useMemo(
    () => ({
      begun: () => begunRequest(deps, target),
      fetch: (signal?: AbortSignal) => fetchOrTakeBegun(deps, target, signal),
      explain: async (error: unknown, isShown: boolean) => {
        if (error instanceof PullMoved && takeAddress(error.address)) return undefined;
        const refusal = error instanceof PullMoved ? new StatementRefused(MOVED_AGAIN) : error;
        return toProblem({ config, accessToken: deps.accessToken }, { target, error: refusal, isShown });
      },
    }),
    [config, deps, target, takeAddress],
  );
  const { state, load, run, amend } = useSigning<ApprovalRequest, Problem, ApprovalAnswer>(steps);
  const { request, problem } = state;
  useBackOnline(!request && problem?.next.kind === 'reload' ? () => load() : null);

  /** Resolves to the error if the approval failed, else to null. */
  const approve = (code = ''): Promise<unknown> =>
    run(deps, (sign, shown) => method.approve({ ...deps, sign }, target, shown, code), changeOf);

  return { approval: { ...state, amend }, approve, reload: () => load() };
}

function useApproveDeps(target: ApprovalTarget, type: ApprovalMethod['type']): ApproveDeps {
  const { api, session, config } = useClient();
  const { username, githubId } = useUser();
  return useMemo(
    () => approveDeps({ api, session, config }, { username, githubId }, { target, type }),
    [api, session, config, username, githubId, target, type],
  );
}

/** The link's names before the page took another address. They aren't in the query, which anyone can write. */
type MovedState = { movedFrom?: unknown } | null;

/** The repository that the opened link named, if the page has taken another address since; else null. */
export function useMovedFrom(): string | null {
  const from = (useLocation().state as MovedState)?.movedFrom;
  return typeof from === 'string' ? from : null;
}

/**
 * Goes to `/collect` under the pull request's present address, so that the page shows it before anything is signed.
 * Returns false if the page has moved before: then something is wrong, and the person has to decide.
 */
export function useTakeAddress(): (address: Address) => boolean {
  const { search } = useLocation();
  const { owner, repo } = usePageContext();
  const movedFrom = useMovedFrom();
  const navigate = useNavigate();
  return useCallback(
    (address) => {
      if (movedFrom !== null) return false;
      // These addresses are only hints, and have the former names.
      const path = keepQuery('/collect', search, { ...address, url: null, headURL: null });
      void navigate(path, { replace: true, state: { movedFrom: `${owner}/${repo}` } });
      return true;
    },
    [search, owner, repo, movedFrom, navigate],
  );
}

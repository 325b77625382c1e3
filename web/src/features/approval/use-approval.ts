import { WebAuthnAbortService } from '@simplewebauthn/browser';
import { createContext, useCallback, useContext, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { keepQuery } from '../../lib/address/page-context.ts';
import type { PageState } from '../../lib/address/page-state.ts';
import { isAbort } from '../../lib/api/api-client.ts';
import { useBackOnline } from '../../lib/react/use-back-online.ts';
import { useClient, usePageContext, usePageState, useUser } from '../../lib/react/use-client.ts';
import {
  announceApproval,
  inPhases,
  outdated,
  type Phase,
  StatementRefused,
} from '../../lib/signing/sign-shown.ts';
import { type Address, type ApprovalRequest, fetchApprovalRequest, PullMoved } from './approval-request.ts';
import type { ApprovalTarget } from './approval-target.ts';
import { type ApprovalOutcome, type ApproveDeps, approveDeps, looksTheSameButFiles } from './approve.ts';
import type { Begun } from './begin-approval.ts';
import { type Problem, toProblem } from './problem.ts';
import { CHANGED, useChanges, useWholeList } from './use-current.ts';
import { type Approval, askedForm, LOADING } from './view-of.ts';

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

const awaiting = (request: ApprovalRequest | null, problem: Problem | null = null): Approval => ({
  ...LOADING,
  ...{ status: 'awaiting', request, problem },
});

/**
 * The state of an approval page, from the request to the answer. The page keeps itself up to date until then: it asks for
 * the rest of the files, and looks for new commits. `target` and `method` must keep their identity.
 */
export function useApproval(target: ApprovalTarget, method: ApprovalMethod) {
  const deps = useApproveDeps(target, method.type);
  const { config } = useClient();
  const takeAddress = useTakeAddress();
  const begun = useContext(BegunContext);
  const [state, setState] = useState(() => {
    const request = begun?.answerFor(deps, target);
    return request ? awaiting(request) : LOADING;
  });

  const fail = useCallback(
    async (error: unknown, request: ApprovalRequest | null) => {
      if (error instanceof PullMoved && takeAddress(error.address)) return;
      const refusal = error instanceof PullMoved ? new StatementRefused(MOVED_AGAIN) : error;
      const isShown = request !== null;
      const { accessToken } = deps;
      setState(
        awaiting(request, await toProblem({ config, accessToken }, { target, error: refusal, isShown })),
      );
    },
    [config, deps, target, takeAddress],
  );

  const load = useCallback(
    async (signal?: AbortSignal) => {
      if (!begun?.answerFor(deps, target)) setState(LOADING);
      try {
        const early = begun?.take(deps, target);
        const request = await (early ?? fetchApprovalRequest(deps, target, signal));
        if (!signal?.aborted) setState(awaiting(request));
      } catch (error) {
        if (!signal?.aborted && !isAbort(error)) await fail(error, null);
      }
    },
    [begun, deps, target, fail],
  );

  const loadFirst = useEffectEvent(load);
  // Leaving the page aborts the request and cancels the ceremony.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another form of the same page asks nothing again.
  useEffect(() => {
    const left = new AbortController();
    void loadFirst(left.signal);
    return () => {
      left.abort();
      WebAuthnAbortService.cancelCeremony();
    };
  }, [deps, target]);

  /** Resolves to the error if the approval failed, else to null. */
  const approve = async (code = ''): Promise<unknown> => {
    const { status, request } = state;
    if (status !== 'awaiting' || !request) return null;
    const enter = (phase: Phase) => setState({ ...state, status: phase, problem: null });
    enter('pending');
    try {
      const sign = inPhases(deps.sign, enter);
      const outcome = await method.approve({ ...deps, sign }, target, request, code);
      if (outcome.kind === 'changed') {
        setState({ ...state, request: outcome.request, problem: changeOf(outcome.request, request) });
      } else {
        setState({ ...state, status: 'complete', problem: null, answer: outcome.answer });
        announceApproval();
      }
      return null;
    } catch (error) {
      await fail(error, outdated(request));
      return error;
    }
  };

  /** Changes what is on the screen, if that's still `shown` and nobody is signing it. */
  const amend = useCallback(
    (shown: ApprovalRequest, next: Partial<Approval>) =>
      setState((now) => (now.status === 'awaiting' && now.request === shown ? { ...now, ...next } : now)),
    [],
  );

  const approval = { ...state, form: askedForm(useLocation().search) };
  const { request, problem } = state;
  useBackOnline(!request && problem?.next.kind === 'reload' ? () => load() : null);
  const isListing = useWholeList(approval, { deps, target, amend });
  useChanges(approval, { deps, target, amend });
  return {
    ...{ approval, approve, isListing },
    reload: () => void load(),
    failed: (error: unknown) => void fail(error, request),
    withdrawn: () => request && amend(request, { isWithdrawn: true }),
  };
}

function useApproveDeps(target: ApprovalTarget, type: ApprovalMethod['type']): ApproveDeps {
  const { api, session, config } = useClient();
  const { username, githubId } = useUser();
  return useMemo(
    () => approveDeps({ api, session, config }, { username, githubId }, { target, type }),
    [api, session, config, username, githubId, target, type],
  );
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

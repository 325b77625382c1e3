import { useCallback, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import { isAbort } from '../../lib/api-client.ts';
import { keepQuery } from '../../lib/page-context.ts';
import { useBackOnline } from '../../lib/use-back-online.ts';
import { inPhases, type Phase, useCeremony } from '../../lib/use-ceremony.ts';
import { useClient, usePageContext, useUser } from '../../lib/use-client.ts';
import {
  type Address,
  type ApprovalRequest,
  PullMoved,
  type RequestDeps,
  StatementRefused,
} from './approval-request.ts';
import type { ApprovalTarget } from './approval-target.ts';
import type { ApprovalOutcome, ApproveDeps } from './approve.ts';
import { approveDeps } from './approve-deps.ts';
import { begunRequest, fetchOrTakeBegun } from './begin-approval.ts';
import { type Problem, toProblem } from './problem.ts';

export type Approval = {
  status: 'loading' | 'awaiting' | Phase | 'complete';
  /** The request on the screen; null until the server has answered. */
  request: ApprovalRequest | null;
  problem: Problem | null;
  answer: ApprovalAnswer | null;
};

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

export const LOADING: Approval = { status: 'loading', request: null, problem: null, answer: null };
const CHANGED =
  'Something about this pull request changed while the page was open. Look at it, then approve again.';

const MOVED_AGAIN =
  'The server says that this pull request moved again. Nothing was signed. Open it again from its check on GitHub.';

/** The state of one approval, from the request to the answer. `target` and `method` must keep their identity. */
export function useApproval(target: ApprovalTarget, method: ApprovalMethod) {
  const deps = useApproveDeps(target, method.type);
  const [approval, setApproval] = useState((): Approval => {
    const request = begunRequest(deps, target);
    return request ? { ...LOADING, status: 'awaiting', request } : LOADING;
  });
  const { config } = useClient();
  const takeAddress = useTakeAddress();

  const fail = useCallback(
    async (error: unknown, request: ApprovalRequest | null) => {
      if (error instanceof PullMoved && takeAddress(error.address)) return;
      const { accessToken } = deps;
      const refusal = error instanceof PullMoved ? new StatementRefused(MOVED_AGAIN) : error;
      const input = { target, error: refusal, isShown: request !== null };
      const problem = await toProblem({ config, accessToken }, input);
      setApproval({ ...LOADING, status: 'awaiting', request, problem });
    },
    [config, deps, target, takeAddress],
  );

  const load = useCallback(
    async (signal?: AbortSignal) => {
      if (!begunRequest(deps, target)) setApproval(LOADING);
      try {
        const request = await fetchOrTakeBegun(deps, target, signal);
        if (!signal?.aborted) setApproval({ ...LOADING, status: 'awaiting', request });
      } catch (error) {
        if (!signal?.aborted && !isAbort(error)) await fail(error, null);
      }
    },
    [deps, target, fail],
  );

  useCeremony(load);

  const { request: shown, problem } = approval;
  useBackOnline(!shown && problem?.next.kind === 'reload' ? () => load() : null);

  /** Resolves to the error if the approval failed, else to null. */
  const approve = async (code = ''): Promise<unknown> => {
    const { request } = approval;
    if (approval.status !== 'awaiting' || !request) return null;
    const enter = (status: Phase) => setApproval({ ...approval, status, problem: null });
    enter('pending');
    try {
      const watched = { ...deps, sign: inPhases(deps.sign, enter) };
      setApproval(afterOutcome(approval, await method.approve(watched, target, request, code)));
      return null;
    } catch (error) {
      // The server may have consumed the challenge, so the next press requests a new one.
      await fail(error, { ...request, requestedAt: Number.NEGATIVE_INFINITY });
      return error;
    }
  };

  return { approval, approve, reload: () => load() };
}

function afterOutcome(approval: Approval, outcome: ApprovalOutcome): Approval {
  if (outcome.kind === 'approved') {
    return { ...approval, status: 'complete', problem: null, answer: outcome.answer };
  }
  return { ...approval, request: outcome.request, problem: { text: CHANGED, next: { kind: 'approve' } } };
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

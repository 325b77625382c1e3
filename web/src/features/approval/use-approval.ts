import { startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import { isAbort } from '../../lib/api-client.ts';
import { useClient, useUser } from '../../lib/use-client.ts';
import type { ApprovalOutcome, ApproveDeps } from './approve.ts';
import { type Problem, toProblem } from './problem.ts';
import { askForRequest, type Request, type RequestDeps } from './request.ts';
import type { Target } from './target.ts';

export type Approval = {
  status: 'loading' | 'awaiting' | 'pending' | 'complete';
  /** What is on the screen; null until the server has said it. */
  request: Request | null;
  problem: Problem | null;
  answer: ApprovalAnswer | null;
};

/** A way to approve: by a key, or by a code that the person typed. */
export type Method = {
  type: RequestDeps['type'];
  /** Rejects with an `ApiError`, a `StatementRefused`, or what the authenticator reported. */
  approve(deps: ApproveDeps, target: Target, shown: Request, code: string): Promise<ApprovalOutcome>;
};

export const LOADING: Approval = { status: 'loading', request: null, problem: null, answer: null };
const CHANGED =
  'Something about this pull request changed while the page was open. Look at it, then approve again.';

/** The approval of one commit, from the question to the answer. `target` and `method` must not change. */
export function useApproval(target: Target, method: Method) {
  const [approval, setApproval] = useState(LOADING);
  const deps = useApproveDeps(target, method.type);
  const { config } = useClient();

  const fail = useCallback(
    async (error: unknown, request: Request | null) => {
      const shown = request !== null;
      const problem = await toProblem({ config, accessToken: deps.accessToken }, { target, error, shown });
      setApproval({ ...LOADING, status: 'awaiting', request, problem });
    },
    [config, deps, target],
  );

  const load = useCallback(
    async (signal?: AbortSignal) => {
      setApproval(LOADING);
      try {
        const request = await askForRequest(deps, target, signal);
        if (!signal?.aborted) setApproval({ ...LOADING, status: 'awaiting', request });
      } catch (error) {
        if (!signal?.aborted && !isAbort(error)) await fail(error, null);
      }
    },
    [deps, target, fail],
  );

  useEffect(() => {
    const leaving = new AbortController();
    void load(leaving.signal);
    return () => {
      leaving.abort();
      WebAuthnAbortService.cancelCeremony();
    };
  }, [load]);

  /** Resolves to what the approval failed with; null where it did not. */
  const press = async (code = ''): Promise<unknown> => {
    const { request } = approval;
    if (approval.status !== 'awaiting' || !request) return null;
    setApproval({ ...approval, status: 'pending', problem: null });
    try {
      const outcome = await method.approve(deps, target, request, code);
      if (outcome.kind === 'approved')
        setApproval({ ...approval, status: 'complete', problem: null, answer: outcome.answer });
      else
        setApproval({
          ...approval,
          request: outcome.request,
          problem: { text: CHANGED, next: { kind: 'approve' } },
        });
      return null;
    } catch (error) {
      // The server may have spent the challenge: the next press asks for another.
      await fail(error, { ...request, askedAt: Number.NEGATIVE_INFINITY });
      return error;
    }
  };

  return { approval, approve: press, reload: () => load() };
}

function useApproveDeps(target: Target, type: Method['type']): ApproveDeps {
  const { api, session, config } = useClient();
  const { username, githubId } = useUser();
  return useMemo(() => {
    const { owner, ownerID, repo, pr, head } = target;
    const place = { orgId: Number(ownerID), repo: `${owner}/${repo}`, pr: Number(pr), head };
    const screen = { host: config.origin, user: { login: username, githubId }, ...place };
    const sign: ApproveDeps['sign'] = (optionsJSON) => startAuthentication({ optionsJSON });
    return { api, accessToken: session.accessToken, screen, sign, type, now: () => performance.now() };
  }, [api, session, config, username, githubId, target, type]);
}

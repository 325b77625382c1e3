import { WebAuthnAbortService } from '@simplewebauthn/browser';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { DeployAnswer } from '../../../../src/contract/deployments.ts';
import { codeOf, isAbort, NO_ACCESS, sentenceOf } from '../../lib/api/api-client.ts';
import { useBackOnline } from '../../lib/react/use-back-online.ts';
import { useClient, useUser } from '../../lib/react/use-client.ts';
import {
  announceApproval,
  inPhases,
  outdated,
  type Phase,
  StatementRefused,
} from '../../lib/signing/sign-shown.ts';
import { webauthnErrorText } from '../../lib/signing/webauthn-errors.ts';
import {
  type DeployRequest,
  type DeployTarget,
  decide,
  deployDeps,
  fetchDeployRequest,
  type Method,
} from './deploy-request.ts';

/** Why nothing was decided, and what the person can do: press again, load it again, register, or use another account. */
type Problem = {
  text: string;
  next: 'retry' | 'reload' | 'register' | 'other-person';
  error: unknown;
};

export type DeploymentState = {
  status: 'loading' | 'awaiting' | Phase;
  request: DeployRequest | null;
  problem: Problem | null;
  /** The answer to the person's own decision on this page. */
  answer: (DeployAnswer & { isRejection: boolean }) | null;
};

const LOADING: DeploymentState = { status: 'loading', request: null, problem: null, answer: null };
const CHANGED =
  'Something about this deployment changed while the page was open. Look at it, then approve it again.';
const WITHOUT_ACCESS = [...NO_ACCESS, 'deploymentNotFound'];
const MOVED = ['runMoved', 'deploymentDecided'];

function problemOf(error: unknown, isShown: boolean): Problem | null {
  const code = codeOf(error) ?? '';
  const text =
    error instanceof StatementRefused || code !== '' || !isShown
      ? sentenceOf(error)
      : webauthnErrorText(error, { nothing: 'Nothing was decided.' });
  if (text === null) return null;
  if (code === 'missingAuthenticator') return { text, next: 'register', error };
  if (!isShown && WITHOUT_ACCESS.includes(code)) return { text, next: 'other-person', error };
  const isOld = !isShown || error instanceof StatementRefused || MOVED.includes(code);
  return { text, next: isOld ? 'reload' : 'retry', error };
}

/**
 * The state of the page of a deployment, from the request to the answer. `target` must keep its identity. The page looks
 * again when the person comes back to it.
 */
export function useDeployment(target: DeployTarget, method: Method) {
  const { api, session, config } = useClient();
  const { username, githubId } = useUser();
  const deps = useMemo(
    () => deployDeps({ api, session, config }, { username, githubId }, { target, method }),
    [api, session, config, username, githubId, target, method],
  );
  const [state, setState] = useState(LOADING);

  const load = useCallback(
    async (signal?: AbortSignal) => {
      setState(LOADING);
      try {
        const request = await fetchDeployRequest(deps, signal ? { signal } : {});
        if (!signal?.aborted) setState({ ...LOADING, status: 'awaiting', request });
      } catch (error) {
        if (signal?.aborted || isAbort(error)) return;
        setState({ ...LOADING, status: 'awaiting', problem: problemOf(error, false) });
      }
    },
    [deps],
  );

  // Leaving the page aborts the request and cancels the ceremony.
  useEffect(() => {
    const left = new AbortController();
    void load(left.signal);
    return () => {
      left.abort();
      WebAuthnAbortService.cancelCeremony();
    };
  }, [load]);

  const { status, request, problem } = state;
  const isIdle = status === 'awaiting' && request?.deployment.state === 'waiting';
  useEffect(() => {
    if (!isIdle) return;
    const look = async () => {
      if (document.visibilityState !== 'visible') return;
      const now = await fetchDeployRequest(deps).catch(() => null);
      setState((old) =>
        now && old.request === request && old.status === 'awaiting' ? { ...old, request: now } : old,
      );
    };
    const onReturn = () => void look();
    document.addEventListener('visibilitychange', onReturn);
    return () => document.removeEventListener('visibilitychange', onReturn);
  }, [isIdle, deps, request]);
  useBackOnline(!request && problem?.next === 'reload' ? () => load() : null);

  /** Resolves to the error if nothing was decided, else to null. With a reason, the deployment is rejected. */
  const send = async (reason: string | undefined, code: string): Promise<unknown> => {
    if (status !== 'awaiting' || !request) return null;
    const enter = (phase: Phase) => setState({ ...state, status: phase, problem: null });
    enter('pending');
    try {
      const decision = { ...(reason !== undefined && { reason }), code };
      const outcome = await decide({ ...deps, sign: inPhases(deps.sign, enter) }, request, decision);
      if (outcome.kind === 'changed') {
        const changed: Problem = { text: CHANGED, next: 'retry', error: null };
        // A request for a rejection can't be signed as an approval.
        const shown = reason === undefined ? outcome.request : await fetchDeployRequest(deps);
        setState({ ...LOADING, status: 'awaiting', request: shown, problem: changed });
        return changed;
      }
      announceApproval();
      const shown = await fetchDeployRequest(deps).catch(() => request);
      const answer = { ...outcome.answer, isRejection: reason !== undefined };
      setState({ status: 'awaiting', request: shown, problem: null, answer });
      return null;
    } catch (error) {
      setState({
        ...LOADING,
        ...{ status: 'awaiting', request: outdated(request), problem: problemOf(error, true) },
      });
      return error;
    }
  };
  return {
    ...state,
    approve: (code = '') => send(undefined, code),
    reject: send as (reason: string, code: string) => Promise<unknown>,
    reload: () => void load(),
  };
}

import { useEffect, useMemo } from 'react';
import { codeOf, NO_ACCESS } from '../../lib/api/api-client.ts';
import { useBackOnline } from '../../lib/react/use-back-online.ts';
import { StatementRefused } from '../../lib/signing/sign-shown.ts';
import { useSignDeps, useSigning } from '../../lib/signing/use-signing.ts';
import { signingErrorText } from '../../lib/signing/webauthn-errors.ts';
import {
  type Decision,
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

const CHANGED =
  'Something about this deployment changed while the page was open. Look at it, then approve it again.';
const WITHOUT_ACCESS = [...NO_ACCESS, 'deploymentNotFound'];
const MOVED = ['runMoved', 'deploymentDecided'];

function problemOf(error: unknown, isShown: boolean): Problem | null {
  const code = codeOf(error) ?? '';
  const text = signingErrorText(error, 'Nothing was decided.');
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
  const signer = useSignDeps();
  const deps = useMemo(() => deployDeps(signer, target, method), [signer, target, method]);
  const { state, sign, amend, reload } = useSigning(deps, {
    ask: (signal) => fetchDeployRequest(deps, signal && { signal }),
    async send(deps, shown, decision: Decision) {
      const isRejection = decision.reason !== undefined;
      const outcome = await decide(deps, shown, decision);
      if (outcome.kind === 'approved') {
        const request = await fetchDeployRequest(deps).catch(() => shown);
        return { ...outcome, answer: { ...outcome.answer, isRejection }, request };
      }
      // A request for a rejection can't be signed as an approval.
      return isRejection ? { ...outcome, request: await fetchDeployRequest(deps) } : outcome;
    },
    changed: (): Problem => ({ text: CHANGED, next: 'retry', error: null }),
    explain: problemOf,
  });
  const { status, request, problem } = state;
  useBackOnline(!request && problem?.next === 'reload' ? reload : null);
  const isIdle = status === 'awaiting' && request?.deployment.state === 'waiting';
  useEffect(() => {
    if (!isIdle) return;
    const look = async () => {
      if (document.visibilityState !== 'visible') return;
      const now = await fetchDeployRequest(deps).catch(() => null);
      if (now) amend(request, { request: now });
    };
    const onReturn = () => void look();
    document.addEventListener('visibilitychange', onReturn);
    return () => document.removeEventListener('visibilitychange', onReturn);
  }, [isIdle, deps, request, amend]);
  return {
    ...{ ...state, reload },
    approve: (code = '') => sign({ code }),
    reject: (reason: string, code: string) => sign({ reason, code }),
  };
}

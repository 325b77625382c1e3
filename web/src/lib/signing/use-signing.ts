import { WebAuthnAbortService } from '@simplewebauthn/browser';
import { useCallback, useEffect, useState } from 'react';
import { isAbort } from '../api/api-client.ts';
import { inPhases, type Phase, type SignDeps, type SignOutcome } from './sign-shown.ts';

/** An approval on the screen, of one or several pull requests. */
export type Signing<Request, Problem, Answer> = {
  status: 'loading' | 'awaiting' | Phase | 'complete';
  /** The request on the screen; null until the server has answered. */
  request: Request | null;
  problem: Problem | null;
  answer: Answer | null;
};

export const LOADING = { status: 'loading', request: null, problem: null, answer: null } as const;

type Steps<Request, Problem> = {
  /** The request, if it's there before the page. */
  begun?(): Request | null;
  fetch(signal?: AbortSignal): Promise<Request>;
  /** Explains a failure; null if there is nothing to say, undefined if the page goes elsewhere. */
  explain(error: unknown, isShown: boolean): Promise<Problem | null | undefined>;
};

/** The state of an approval, from the request to the answer. `steps` must keep its identity. */
export function useSigning<Request extends { requestedAt: number }, Problem, Answer>(
  steps: Steps<Request, Problem>,
) {
  const [state, setState] = useState((): Signing<Request, Problem, Answer> => {
    const request = steps.begun?.();
    return request ? { ...LOADING, status: 'awaiting', request } : LOADING;
  });

  const fail = useCallback(
    async (error: unknown, request: Request | null) => {
      const problem = await steps.explain(error, request !== null);
      if (problem !== undefined) setState({ ...LOADING, status: 'awaiting', request, problem });
    },
    [steps],
  );

  const load = useCallback(
    async (signal?: AbortSignal) => {
      if (!steps.begun?.()) setState(LOADING);
      try {
        const request = await steps.fetch(signal);
        if (!signal?.aborted) setState({ ...LOADING, status: 'awaiting', request });
      } catch (error) {
        if (!signal?.aborted && !isAbort(error)) await fail(error, null);
      }
    },
    [steps, fail],
  );

  // Leaving the page aborts the request and cancels the ceremony.
  useEffect(() => {
    const unmounted = new AbortController();
    void load(unmounted.signal);
    return () => {
      unmounted.abort();
      WebAuthnAbortService.cancelCeremony();
    };
  }, [load]);

  /** Signs what is shown with `work`. Resolves to the error if that failed, else to null. */
  const run = async (
    { sign }: Pick<SignDeps, 'sign'>,
    work: (sign: SignDeps['sign'], shown: Request) => Promise<SignOutcome<Request, Answer>>,
    explainChange: (now: Request, shown: Request) => Problem,
  ): Promise<unknown> => {
    const { status, request } = state;
    if (status !== 'awaiting' || !request) return null;
    const enter = (phase: Phase) => setState({ ...state, status: phase, problem: null });
    enter('pending');
    try {
      const outcome = await work(inPhases(sign, enter), request);
      if (outcome.kind === 'changed') {
        const problem = explainChange(outcome.request, request);
        setState({ ...state, request: outcome.request, problem });
      } else {
        setState({ ...state, status: 'complete', problem: null, answer: outcome.answer });
        // The number of pull requests that wait for the person goes down.
        window.dispatchEvent(new window.Event('approved'));
      }
      return null;
    } catch (error) {
      // The server may have consumed the challenge, so the next press requests a new one.
      await fail(error, { ...request, requestedAt: Number.NEGATIVE_INFINITY });
      return error;
    }
  };

  /** Changes what is on the screen, if that's still `shown` and nobody is signing it. */
  const amend = useCallback(
    (shown: Request, next: Partial<Pick<Signing<Request, Problem, Answer>, 'request' | 'problem'>>) =>
      setState((now) => (now.status === 'awaiting' && now.request === shown ? { ...now, ...next } : now)),
    [],
  );

  return { state, load, run, amend };
}

import { WebAuthnAbortService } from '@simplewebauthn/browser';
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { isAbort } from '../api/api-client.ts';
import { useClient, useUser } from '../react/use-client.ts';
import {
  announceApproval,
  inPhases,
  outdated,
  type Phase,
  type Signable,
  type SignDeps,
  type SignerDeps,
  type SignOutcome,
  signDeps,
} from './sign-shown.ts';

/** What the signed-in person signs with: the same object until the person changes. */
export function useSignDeps(): SignerDeps {
  const client = useClient();
  const { username, githubId } = useUser();
  return useMemo(() => signDeps(client, { username, githubId }), [client, username, githubId]);
}

/** The state of a page that asks a person to sign what it shows. */
export type Signing<Request, Problem, Answer> = {
  status: 'loading' | 'awaiting' | Phase;
  /** The request on the screen; null until the server has answered. */
  request: Request | null;
  problem: Problem | null;
  answer: Answer | null;
};

export const LOADING = { status: 'loading', request: null, problem: null, answer: null } as const;

type Steps<Deps, Request, Problem, Answer, Choice> = {
  /** The answer that is there before the page. */
  first?: Request | null | undefined;
  /** Requests what the page shows. */
  ask(signal?: AbortSignal): Promise<Request>;
  /** Signs what is on the screen, and sends it. The answer null leaves the form open. Rejects with why nothing was sent. */
  send(deps: Deps, shown: Request, choice: Choice): Promise<SignOutcome<Request, Answer | null>>;
  /** Says what a person has to look at who pressed the button with `shown` on the screen. */
  changed(now: Request, shown: Request): Problem;
  /** Explains a failure: null if there's nothing to say, undefined if the page is being left for it. */
  explain(error: unknown, isShown: boolean): Problem | null | undefined | Promise<Problem | null | undefined>;
};

/** The state of such a page, from the request to the answer. Other `deps` are another page, which asks again. */
export function useSigning<Deps extends SignDeps, Request extends Signable, Problem, Answer, Choice>(
  deps: Deps,
  { first = null, ask, send, changed, explain }: Steps<Deps, Request, Problem, Answer, Choice>,
) {
  type State = Signing<Request, Problem, Answer>;
  const awaiting = (request: Request | null, problem: Problem | null = null): State => ({
    ...LOADING,
    ...{ status: 'awaiting', request, problem },
  });
  const [state, setState] = useState<State>(first ? awaiting(first) : LOADING);

  const fail = async (error: unknown, shown: Request | null) => {
    const problem = await explain(error, shown !== null);
    if (problem !== undefined) setState(awaiting(shown, problem));
  };
  const load = async (signal?: AbortSignal) => {
    if (!first) setState(LOADING);
    try {
      const request = await ask(signal);
      if (!signal?.aborted) setState(awaiting(request));
    } catch (error) {
      if (!signal?.aborted && !isAbort(error)) await fail(error, null);
    }
  };

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
  }, [deps]);

  /** Resolves to null if it was sent, else to why it wasn't. */
  const sign = async (choice: Choice): Promise<unknown> => {
    const { status, request, answer } = state;
    if (status !== 'awaiting' || !request || answer) return null;
    const enter = (phase: Phase) => setState({ ...state, status: phase, problem: null });
    enter('pending');
    try {
      const outcome = await send({ ...deps, sign: inPhases(deps.sign, enter) }, request, choice);
      if (outcome.kind === 'changed') {
        setState(awaiting(outcome.request, changed(outcome.request, request)));
        return outcome;
      }
      const { answer, request: next = request } = outcome;
      setState({ ...awaiting(next), answer });
      announceApproval();
      return null;
    } catch (error) {
      await fail(error, outdated(request));
      return error;
    }
  };

  /** Changes what is on the screen, if that's still `shown` and nobody is signing it. */
  const amend = useCallback(
    (shown: Request, next: Partial<State>) =>
      setState((now) => (now.request === shown && now.status === 'awaiting' ? { ...now, ...next } : now)),
    [],
  );
  return { state, sign, amend, reload: () => void load() };
}

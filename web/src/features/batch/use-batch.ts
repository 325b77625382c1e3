import { startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { BatchAnswer, BatchItem } from '../../../../src/contract/approvals.ts';
import { ApiError, NOTHING_LOST } from '../../lib/api/api-client.ts';
import { useBackOnline } from '../../lib/react/use-back-online.ts';
import { useClient, useUser } from '../../lib/react/use-client.ts';
import { type BatchChoice, batchKey } from '../../lib/signing/batch-choice.ts';
import { isLeftOut } from '../../lib/signing/check-batch.ts';
import {
  announceApproval,
  inPhases,
  outdated,
  type Phase,
  StatementRefused,
} from '../../lib/signing/sign-shown.ts';
import { NOTHING_APPROVED, webauthnErrorText } from '../../lib/signing/webauthn-errors.ts';
import {
  type ApproveDeps,
  approveBatch,
  type BatchRequest,
  choiceOnScreen,
  fetchBatch,
} from './batch-request.ts';

/** The state of the page. */
export type Batch = {
  status: 'loading' | 'awaiting' | Phase | 'complete';
  /** The request on the screen; null until the server has answered. */
  request: BatchRequest | null;
  problem: Problem | null;
  answer: BatchAnswer | null;
};

const LOADING: Batch = { status: 'loading', request: null, problem: null, answer: null };

const CHANGED: Problem = {
  text: 'Something about these pull requests changed while the page was open. Look at them, then approve again.',
  next: 'approve',
};

/** The state of one approval of several commits, from the request to the answer. `choice` must keep its identity. */
export function useBatch(choice: BatchChoice) {
  const deps = useApproveDeps(choice);
  const { tab } = useClient();
  const { id } = useUser();
  const [batch, setBatch] = useState(LOADING);
  /** The choice without what the person took out. */
  const [rest, setRest] = useState(choice);

  const load = useCallback(
    async (choice: BatchChoice, signal?: AbortSignal) => {
      setBatch(LOADING);
      try {
        const request = await fetchBatch(deps, choice, 'soon', signal);
        if (!signal?.aborted) setBatch({ ...LOADING, status: 'awaiting', request });
      } catch (error) {
        if (!signal?.aborted) setBatch({ ...LOADING, status: 'awaiting', problem: toProblem(error, false) });
      }
    },
    [deps],
  );

  // Leaving the page aborts the request and cancels the ceremony.
  useEffect(() => {
    const left = new AbortController();
    void load(choice, left.signal);
    return () => {
      left.abort();
      WebAuthnAbortService.cancelCeremony();
    };
  }, [load, choice]);
  useBackOnline(!batch.request && batch.problem?.next === 'reload' ? () => load(rest) : null);

  const approve = async () => {
    const { status, request } = batch;
    if (status !== 'awaiting' || !request) return;
    const enter = (phase: Phase) => setBatch({ ...batch, status: phase, problem: null });
    enter('pending');
    try {
      const outcome = await approveBatch({ ...deps, sign: inPhases(deps.sign, enter) }, choice, request);
      if (outcome.kind === 'changed') {
        const changed = await fetchBatch(deps, choiceOnScreen(choice, request), 'soon');
        const items = [...changed.items, ...request.items.filter(isLeftOut)];
        return setBatch({ ...batch, request: { ...changed, items }, problem: CHANGED });
      }
      tab.removeItem(batchKey(id, choice.org.id));
      setBatch({ ...batch, status: 'complete', problem: null, answer: outcome.answer });
      announceApproval();
    } catch (error) {
      const shown = { ...LOADING, status: 'awaiting', request: outdated(request) } as const;
      setBatch({ ...shown, problem: toProblem(error, true) });
    }
  };

  /** Takes one out of the page and of the tab. The signature needs a new challenge, which the next press requests. */
  const takeOut = (item: BatchItem) => {
    const { status, request } = batch;
    if (status !== 'awaiting' || !request) return;
    const shown = outdated({ ...request, items: request.items.filter((one) => one !== item) });
    const others = choiceOnScreen(choice, shown);
    tab.setItem(batchKey(id, choice.org.id), JSON.stringify(others));
    setRest(others);
    setBatch({ ...batch, request: shown });
  };
  return { batch, approve: () => void approve(), takeOut, reload: () => void load(rest) };
}

function useApproveDeps({ org, items }: BatchChoice): ApproveDeps {
  const { api, session, config } = useClient();
  const { username, githubId } = useUser();
  return useMemo(() => {
    const user = { login: username, githubId };
    return {
      api,
      accessToken: session.accessToken,
      screen: { host: config.origin, user, orgId: org.id, pulls: items },
      sign: (optionsJSON) => startAuthentication({ optionsJSON }),
      now: () => performance.now(),
    };
  }, [api, session, config, username, githubId, org, items]);
}

/** Why nothing is approved yet, and what the person can do next. `inbox`: go back and choose others. */
type Problem = { text: string; next: 'approve' | 'reload' | 'register' | 'inbox' };

/**
 * Explains a failure to the person; null if there is nothing to say. `isShown` says whether the pull requests are on the
 * screen, so that the same button can try again.
 */
function toProblem(error: unknown, isShown: boolean): Problem | null {
  if (error instanceof StatementRefused) return { text: error.message, next: 'reload' };
  if (error instanceof ApiError) {
    const text = error.code === null && error.mayPass ? NOTHING_LOST : error.message;
    return { text, next: afterRefusal(error, isShown) };
  }
  const text = webauthnErrorText(error, { nothing: NOTHING_APPROVED });
  return text === null ? null : { text, next: 'approve' };
}

function afterRefusal({ code, mayPass, retryAfter }: ApiError, isShown: boolean): Problem['next'] {
  if (code === 'missingAuthenticator') return 'register';
  if (isShown) return 'approve';
  return mayPass || retryAfter !== undefined ? 'reload' : 'inbox';
}

import { startAuthentication } from '@simplewebauthn/browser';
import { useCallback, useMemo, useState } from 'react';
import type { BatchAnswer } from '../../../../src/contract/approvals.ts';
import { ApiError, isAbort } from '../../lib/api-client.ts';
import { type BatchChoice, batchKey } from '../../lib/batch-choice.ts';
import { useBackOnline } from '../../lib/use-back-online.ts';
import { inPhases, type Phase, useCeremony } from '../../lib/use-ceremony.ts';
import { useClient, useUser } from '../../lib/use-client.ts';
import { useInbox } from '../../lib/use-inbox.ts';
import { webauthnErrorText } from '../../lib/webauthn-errors.ts';
import {
  type ApproveDeps,
  approveBatch,
  BatchRefused,
  type BatchRequest,
  fetchBatch,
} from './batch-request.ts';

export type Batch = {
  status: 'loading' | 'awaiting' | Phase | 'complete';
  /** The request on the screen; null until the server has answered. */
  request: BatchRequest | null;
  problem: Problem | null;
  answer: BatchAnswer | null;
};

const LOADING: Batch = { status: 'loading', request: null, problem: null, answer: null };
const CHANGED =
  'Something about these pull requests changed while the page was open. Look at them, then approve again.';

/** The state of one approval of several commits, from the request to the answer. `choice` must keep its identity. */
export function useBatch(choice: BatchChoice) {
  const [batch, setBatch] = useState(LOADING);
  const deps = useApproveDeps(choice);
  const { tab } = useClient();
  const { id } = useUser();
  const inbox = useInbox();

  const load = useCallback(
    async (signal?: AbortSignal) => {
      setBatch(LOADING);
      try {
        const request = await fetchBatch(deps, choice, signal);
        if (!signal?.aborted) setBatch({ ...LOADING, status: 'awaiting', request });
      } catch (error) {
        if (signal?.aborted || isAbort(error)) return;
        setBatch({ ...LOADING, status: 'awaiting', problem: toProblem(error, false) });
      }
    },
    [deps, choice],
  );

  useCeremony(load);

  useBackOnline(!batch.request && batch.problem?.next === 'reload' ? () => load() : null);

  const approve = async () => {
    const { status, request } = batch;
    if (status !== 'awaiting' || !request) return;
    const enter = (status: Phase) => setBatch({ ...batch, status, problem: null });
    enter('pending');
    try {
      const watched = { ...deps, sign: inPhases(deps.sign, enter) };
      const outcome = await approveBatch(watched, choice, request);
      if (outcome.kind === 'changed') {
        setBatch({ ...batch, request: outcome.request, problem: { text: CHANGED, next: 'approve' } });
        return;
      }
      setBatch({ ...batch, status: 'complete', problem: null, answer: outcome.answer });
      tab.removeItem(batchKey(id, choice.org.id));
      void inbox.refresh();
    } catch (error) {
      // The server may have consumed the challenge, so the next press requests a new one.
      const used = { ...request, requestedAt: Number.NEGATIVE_INFINITY };
      setBatch({ ...LOADING, status: 'awaiting', request: used, problem: toProblem(error, true) });
    }
  };

  return { batch, approve: () => void approve(), reload: () => void load() };
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

/** True in every case: stored approvals stay stored, and those that weren't can be given again. */
const NOTHING_LOST = "OTP Guard didn't answer. Nothing is lost: check your connection, then try again.";

/**
 * Explains a failure to the person; null if there is nothing to say. `isShown` says whether the pull requests are on the
 * screen, so that the same button can try again.
 */
function toProblem(error: unknown, isShown: boolean): Problem | null {
  if (error instanceof BatchRefused) return { text: error.message, next: 'reload' };
  if (error instanceof ApiError) {
    const text = error.code === null && error.mayPass ? NOTHING_LOST : error.message;
    return { text, next: afterRefusal(error, isShown) };
  }
  const text = webauthnErrorText(error);
  return text === null ? null : { text, next: 'approve' };
}

function afterRefusal({ code, mayPass, retryAfter }: ApiError, isShown: boolean): Problem['next'] {
  if (code === 'missingAuthenticator') return 'register';
  if (isShown) return 'approve';
  return mayPass || retryAfter !== undefined ? 'reload' : 'inbox';
}

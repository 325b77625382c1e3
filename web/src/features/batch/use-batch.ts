import { startAuthentication } from '@simplewebauthn/browser';
import { useMemo } from 'react';
import type { BatchAnswer } from '../../../../src/contract/approvals.ts';
import { ApiError, NOTHING_LOST } from '../../lib/api/api-client.ts';
import { useBackOnline } from '../../lib/react/use-back-online.ts';
import { useClient, useUser } from '../../lib/react/use-client.ts';
import { type BatchChoice, batchKey } from '../../lib/signing/batch-choice.ts';
import { StatementRefused } from '../../lib/signing/sign-shown.ts';
import { type Signing, useSigning } from '../../lib/signing/use-signing.ts';
import { webauthnErrorText } from '../../lib/signing/webauthn-errors.ts';
import { type ApproveDeps, approveBatch, type BatchRequest, fetchBatch } from './batch-request.ts';

export type Batch = Signing<BatchRequest, Problem, BatchAnswer>;

const CHANGED =
  'Something about these pull requests changed while the page was open. Look at them, then approve again.';

/** The state of one approval of several commits, from the request to the answer. `choice` must keep its identity. */
export function useBatch(choice: BatchChoice) {
  const deps = useApproveDeps(choice);
  const { tab } = useClient();
  const { id } = useUser();
  const steps = useMemo(
    () => ({
      fetch: (signal?: AbortSignal) => fetchBatch(deps, choice, signal),
      explain: async (error: unknown, isShown: boolean) => toProblem(error, isShown),
    }),
    [deps, choice],
  );
  const { state: batch, load, run } = useSigning<BatchRequest, Problem, BatchAnswer>(steps);
  useBackOnline(!batch.request && batch.problem?.next === 'reload' ? () => load() : null);

  const sign = async (sign: ApproveDeps['sign'], shown: BatchRequest) => {
    const outcome = await approveBatch({ ...deps, sign }, choice, shown);
    if (outcome.kind === 'approved') tab.removeItem(batchKey(id, choice.org.id));
    return outcome;
  };
  const approve = () => void run(deps, sign, () => ({ text: CHANGED, next: 'approve' }));
  return { batch, approve, reload: () => void load() };
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
  const text = webauthnErrorText(error);
  return text === null ? null : { text, next: 'approve' };
}

function afterRefusal({ code, mayPass, retryAfter }: ApiError, isShown: boolean): Problem['next'] {
  if (code === 'missingAuthenticator') return 'register';
  if (isShown) return 'approve';
  return mayPass || retryAfter !== undefined ? 'reload' : 'inbox';
}

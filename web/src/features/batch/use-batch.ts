import { useMemo, useState } from 'react';
import type { BatchAnswer, BatchItem } from '../../../../src/contract/approvals.ts';
import { ApiError, codeOf } from '../../lib/api/api-client.ts';
import { useBackOnline } from '../../lib/react/use-back-online.ts';
import { useClient, useUser } from '../../lib/react/use-client.ts';
import { type BatchChoice, batchKey } from '../../lib/signing/batch-choice.ts';
import { isLeftOut } from '../../lib/signing/check-batch.ts';
import { outdated, StatementRefused } from '../../lib/signing/sign-shown.ts';
import { type Signing, useSignDeps, useSigning } from '../../lib/signing/use-signing.ts';
import { NOTHING_APPROVED, signingErrorText } from '../../lib/signing/webauthn-errors.ts';
import { approveBatch, type BatchRequest, batchDeps, choiceOnScreen, fetchBatch } from './batch-request.ts';

/** The state of the page. */
export type Batch = Signing<BatchRequest, Problem, BatchAnswer>;

const CHANGED: Problem = {
  text: 'Something about these pull requests changed while the page was open. Look at them, then approve again.',
  next: 'approve',
};

/** The state of one approval of several commits, from the request to the answer. `choice` must keep its identity. */
export function useBatch(choice: BatchChoice) {
  const signer = useSignDeps();
  const deps = useMemo(() => batchDeps(signer, choice), [signer, choice]);
  const { tab } = useClient();
  const stored = batchKey(useUser().id, choice.org.id);
  /** The choice without what the person took out. */
  const [rest, setRest] = useState(choice);
  const page = useSigning(deps, {
    ask: (signal) => fetchBatch(deps, rest, 'soon', signal),
    async send(deps, shown, choice: BatchChoice) {
      const outcome = await approveBatch(deps, choice, shown);
      if (outcome.kind === 'changed') {
        const changed = await fetchBatch(deps, choiceOnScreen(choice, shown), 'soon');
        return {
          kind: 'changed',
          request: { ...changed, items: [...changed.items, ...shown.items.filter(isLeftOut)] },
        };
      }
      tab.removeItem(stored);
      return outcome;
    },
    changed: () => CHANGED,
    explain: toProblem,
  });
  const { request, problem, status } = page.state;
  useBackOnline(!request && problem?.next === 'reload' ? page.reload : null);

  /** Takes one out of the page and of the tab. The signature needs a new challenge, which the next press requests. */
  const takeOut = (item: BatchItem) => {
    if (status !== 'awaiting' || !request) return;
    const shown = outdated({ ...request, items: request.items.filter((one) => one !== item) });
    const others = choiceOnScreen(choice, shown);
    tab.setItem(stored, JSON.stringify(others));
    setRest(others);
    page.amend(request, { request: shown });
  };
  return { batch: page.state, approve: () => void page.sign(choice), takeOut, reload: page.reload };
}

/** Why nothing is approved yet, and what the person can do next. `inbox`: go back and choose others. */
type Problem = { text: string; next: 'approve' | 'reload' | 'register' | 'inbox' };

/**
 * Explains a failure to the person; null if there is nothing to say. `isShown` says whether the pull requests are on the
 * screen, so that the same button can try again.
 */
function toProblem(error: unknown, isShown: boolean): Problem | null {
  const text = signingErrorText(error, NOTHING_APPROVED);
  return text === null ? null : { text, next: nextOf(error, isShown) };
}

function nextOf(error: unknown, isShown: boolean): Problem['next'] {
  if (error instanceof StatementRefused) return 'reload';
  if (codeOf(error) === 'missingAuthenticator') return 'register';
  if (isShown || !(error instanceof ApiError)) return 'approve';
  return error.mayPass || error.retryAfter !== undefined ? 'reload' : 'inbox';
}

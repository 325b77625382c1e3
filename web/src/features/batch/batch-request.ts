import type { BatchAnswer, BatchParamsAnswer } from '../../../../src/contract/approvals.ts';
import type { Poster } from '../../lib/api/api-client.ts';
import type { BatchChoice } from '../../lib/signing/batch-choice.ts';
import { type BatchOnScreen, isBatchItem, refuseBatch } from '../../lib/signing/check-batch.ts';
import { sameApproval } from '../../lib/signing/check-statement.ts';
import {
  type SignDeps,
  type SignOutcome,
  StatementRefused,
  signShown,
} from '../../lib/signing/sign-shown.ts';

/** The challenge to sign, and the facts about it that the page shows. */
export type BatchRequest = BatchParamsAnswer & {
  /** The time at which the challenge was requested, in milliseconds of `performance.now()`. */
  requestedAt: number;
};

export type ApproveDeps = SignDeps & {
  api: Poster;
  accessToken: () => string;
  screen: BatchOnScreen;
};

/** The fields of both calls: the organization, and GitHub's token. */
const ofOrg = ({ accessToken }: ApproveDeps, { org }: BatchChoice) => ({
  org: org.name,
  orgID: org.id,
  accessToken: accessToken(),
});

/** Requests a challenge for the chosen commits. Rejects with an `ApiError` or `StatementRefused`. */
export async function fetchBatch(
  deps: ApproveDeps,
  choice: BatchChoice,
  signal?: AbortSignal,
): Promise<BatchRequest> {
  const requestedAt = deps.now();
  const body = { ...ofOrg(deps, choice), items: choice.items };
  const answer = await deps.api.post('/approve-batch-params', body, signal);
  await checkBatch(deps, answer);
  return { ...answer, requestedAt };
}

/** Rejects with `StatementRefused`. */
async function checkBatch({ screen }: ApproveDeps, answer: BatchParamsAnswer) {
  const refusal = await refuseBatch(answer, screen);
  if (refusal) throw new StatementRefused(refusal);
}

/** Tells whether both requests show the person the same. */
export function looksTheSame({ items }: BatchParamsAnswer, other: BatchParamsAnswer): boolean {
  if (items.length !== other.items.length) return false;
  return items.every((item, index) => {
    const shown = other.items[index];
    if (!shown || !isBatchItem(item) || !isBatchItem(shown)) return sameJson(item, shown);
    return sameApproval(item.statement, shown.statement) && sameJson(item.pull, shown.pull);
  });
}

const sameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Signs all that is on the screen together and sends it, as `signShown` does. */
export const approveBatch = (
  deps: ApproveDeps,
  choice: BatchChoice,
  shown: BatchRequest,
): Promise<SignOutcome<BatchRequest, BatchAnswer>> =>
  signShown<BatchRequest, BatchAnswer>(deps, shown, {
    renew: () => fetchBatch(deps, choice),
    looksTheSame,
    check: (request) => checkBatch(deps, request),
    send: (authResponse) => deps.api.post('/approve-batch', { ...ofOrg(deps, choice), authResponse }),
  });

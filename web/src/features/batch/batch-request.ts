import type { BatchAnswer, BatchParamsAnswer } from '../../../../src/contract/approvals.ts';
import type { BatchChoice } from '../../lib/signing/batch-choice.ts';
import { type BatchOnScreen, isBatchItem, refuseBatch } from '../../lib/signing/check-batch.ts';
import { sameApproval } from '../../lib/signing/check-statement.ts';
import {
  type PageDeps,
  type Signable,
  type SignerDeps,
  type SignOutcome,
  StatementRefused,
  signShown,
} from '../../lib/signing/sign-shown.ts';

/** The challenge to sign, and the facts about it that the page shows. */
export type BatchRequest = Signable<BatchParamsAnswer>;

export type ApproveDeps = PageDeps<BatchOnScreen>;

/** Collects what an approval of this choice by this person needs. */
export const batchDeps = ({ signer, ...deps }: SignerDeps, { org, items }: BatchChoice): ApproveDeps => ({
  ...deps,
  screen: { ...signer, orgId: org.id, pulls: items },
});

/** The fields of both calls: the organization, and GitHub's token. */
const ofOrg = ({ accessToken }: ApproveDeps, { org }: BatchChoice) => ({
  org: org.name,
  orgID: org.id,
  accessToken: accessToken(),
});

/**
 * Requests a challenge for the chosen commits, with their files in the order of what to look at, or without files in the
 * order of the choice. Rejects with an `ApiError` or `StatementRefused`.
 */
export async function fetchBatch(
  deps: ApproveDeps,
  choice: BatchChoice,
  files?: 'soon',
  signal?: AbortSignal,
): Promise<BatchRequest> {
  const requestedAt = deps.now();
  const body = { ...ofOrg(deps, choice), items: choice.items, files };
  const answer = await deps.api.post('/approve-batch-params', body, signal);
  await checkBatch(deps, answer);
  return { ...answer, requestedAt };
}

/** Rejects with `StatementRefused`. */
async function checkBatch({ screen }: ApproveDeps, answer: BatchParamsAnswer) {
  const refusal = await refuseBatch(answer, screen);
  if (refusal) throw new StatementRefused(refusal);
}

/** Tells whether the person sees the same in both requests of what they'd approve. */
export function looksTheSame(one: BatchParamsAnswer, other: BatchParamsAnswer): boolean {
  const [items, shown] = [one.items.filter(isBatchItem), other.items.filter(isBatchItem)];
  if (items.length !== shown.length) return false;
  return items.every(({ statement, pull }, index) => {
    const item = shown[index];
    return item && sameApproval(statement, item.statement) && sameJson(pull, item.pull);
  });
}

const sameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What is on the screen, in its order. */
export const choiceOnScreen = (choice: BatchChoice, { items }: Pick<BatchRequest, 'items'>): BatchChoice => ({
  ...choice,
  items: items.filter(isBatchItem).map(({ target }) => target),
});

/** Signs all that is on the screen together and sends it, as `signShown` does. */
export function approveBatch(
  deps: ApproveDeps,
  chosen: BatchChoice,
  shown: BatchRequest,
): Promise<SignOutcome<BatchRequest, BatchAnswer>> {
  const choice = choiceOnScreen(chosen, shown);
  const ofScreen = { ...deps, screen: { ...deps.screen, pulls: choice.items } };
  return signShown<BatchRequest, BatchAnswer>(deps, shown, {
    renew: () => fetchBatch(ofScreen, choice),
    looksTheSame,
    check: (request) => checkBatch(ofScreen, request),
    send: (authResponse) => deps.api.post('/approve-batch', { ...ofOrg(deps, choice), authResponse }),
  });
}

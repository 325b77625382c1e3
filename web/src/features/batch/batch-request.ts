import type { startAuthentication } from '@simplewebauthn/browser';
import type { BatchAnswer, BatchParamsAnswer } from '../../../../src/contract/approvals.ts';
import type { Poster } from '../../lib/api-client.ts';
import type { BatchChoice } from '../../lib/batch-choice.ts';
import { type BatchOnScreen, isBatchItem, refuseBatch } from '../../lib/check-batch.ts';
import { sameApproval } from '../../lib/check-statement.ts';

/** The challenge to sign, and the facts about it that the page shows. */
export type BatchRequest = BatchParamsAnswer & {
  /** When the challenge was requested, in milliseconds of `performance.now()`. */
  requestedAt: number;
};

export type RequestDeps = {
  api: Poster;
  accessToken: () => string;
  screen: BatchOnScreen;
  now: () => number;
};

/** The server's statements don't describe the pull requests on the page. Nothing was signed. */
export class BatchRefused extends Error {}

/** The fields of both calls: the organization, and GitHub's token. */
export const ofOrg = ({ accessToken }: Pick<RequestDeps, 'accessToken'>, { org }: BatchChoice) => ({
  org: org.name,
  orgID: org.id,
  accessToken: accessToken(),
});

/** Requests a challenge for the chosen commits. Rejects with an `ApiError` or `BatchRefused`. */
export async function fetchBatch(
  deps: RequestDeps,
  choice: BatchChoice,
  signal?: AbortSignal,
): Promise<BatchRequest> {
  const requestedAt = deps.now();
  const body = { ...ofOrg(deps, choice), items: choice.items };
  const answer = await deps.api.post<BatchParamsAnswer>('/approve-batch-params', body, signal);
  await checkBatch(deps, answer);
  return { ...answer, requestedAt };
}

/** Rejects with `BatchRefused`. */
export async function checkBatch({ screen }: Pick<RequestDeps, 'screen'>, answer: BatchParamsAnswer) {
  const refusal = await refuseBatch(answer, screen);
  if (refusal) throw new BatchRefused(refusal);
}

/** Whether both show the person the same. */
export function looksTheSame({ items }: BatchParamsAnswer, other: BatchParamsAnswer): boolean {
  if (items.length !== other.items.length) return false;
  return items.every((item, index) => {
    const shown = other.items[index];
    if (!shown || !isBatchItem(item) || !isBatchItem(shown)) return sameJson(item, shown);
    return sameApproval(item.statement, shown.statement) && sameJson(item.pull, shown.pull);
  });
}

const sameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The server keeps a challenge for 60 seconds; the person needs some of them for the prompt. */
const CHALLENGE_FRESH_MS = 45_000;

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

export type ApproveDeps = RequestDeps & {
  /** Signs the challenge with the person's authenticator. */
  sign: (options: Options) => Promise<unknown>;
};

type BatchOutcome =
  | { kind: 'approved'; answer: BatchAnswer }
  /** The server's facts differ from the screen; nothing was signed. */
  | { kind: 'changed'; request: BatchRequest };

/**
 * Signs all that is on the screen at once and sends it. An old challenge is renewed first, and the new one is signed
 * only if everything else is as shown.
 *
 * Rejects with an `ApiError`, a `BatchRefused`, or the authenticator's error.
 */
export async function approveBatch(
  deps: ApproveDeps,
  choice: BatchChoice,
  shown: BatchRequest,
): Promise<BatchOutcome> {
  const isFresh = deps.now() - shown.requestedAt < CHALLENGE_FRESH_MS;
  const request = isFresh ? shown : await fetchBatch(deps, choice);
  if (!looksTheSame(request, shown)) return { kind: 'changed', request };
  await checkBatch(deps, request);
  // The contract allows any transport name; the library's type lists only the ones known today.
  const authResponse = await deps.sign(request.options as Options);
  const answer = await deps.api.post<BatchAnswer>('/approve-batch', { ...ofOrg(deps, choice), authResponse });
  return { kind: 'approved', answer };
}

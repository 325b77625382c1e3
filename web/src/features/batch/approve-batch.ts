import type { startAuthentication } from '@simplewebauthn/browser';
import type { BatchAnswer } from '../../../../src/contract/approvals.ts';
import type { BatchChoice } from '../../lib/batch-choice.ts';
import {
  type BatchRequest,
  checkBatch,
  fetchBatch,
  looksTheSame,
  ofOrg,
  type RequestDeps,
} from './batch-request.ts';

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

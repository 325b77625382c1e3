import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import pMap from 'p-map';
import type { Challenge, Challenges } from '../../authenticators/ports.ts';
import { findChallenge } from '../../authenticators/step-up/challenges.ts';
import {
  type ApprovalTarget,
  type BatchSubject,
  batchSubject,
  type LeftOut,
} from '../../contract/approvals.ts';
import { isInBatch } from '../../proofs/verify-statement.ts';
import { AppError } from '../../shared/app-error.ts';
import { statementChallenge } from './make-statement.ts';

/** The number of a batch's pull requests that we ask GitHub about simultaneously. */
const AT_ONCE = 5;

/**
 * Does the work for each item of a batch; the outcomes are in the same order. An item that is refused is left out,
 * with the reason.
 *
 * @throws AppError An outage refuses the whole batch: nothing is used up yet, so the person can try again.
 */
export function attemptEach<Item extends { target: ApprovalTarget }, Outcome>(
  items: Item[],
  work: (item: Item) => Promise<Outcome>,
): Promise<(Outcome | LeftOut)[]> {
  const attempt = async (item: Item): Promise<Outcome | LeftOut> => {
    try {
      return await work(item);
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return leftOut(item.target, error);
      throw error;
    }
  };
  return pMap(items, attempt, { concurrency: AT_ONCE });
}

export const leftOut = ({ repo, pr }: ApprovalTarget, { message: why }: AppError): LeftOut => ({
  repo,
  pr,
  why,
});

export const isLeftOut = (outcome: object): outcome is LeftOut => 'why' in outcome;

/** Separates the items that worked from the omitted ones, each in their order. */
export const splitItems = <Outcome extends object>(outcomes: (Outcome | LeftOut)[]) => ({
  done: outcomes.flatMap((one) => (isLeftOut(one) ? [] : [one])),
  left: outcomes.filter(isLeftOut),
});

type Answer = { userId: string; orgID: number; response: AuthenticationResponseJSON };

/**
 * Finds the challenge of a batch that an assertion answers, and its purpose.
 *
 * @throws AppError `challengeUnknown` if there's none of this person in this organization, or if it isn't the hash of
 *   the batch, or the batch isn't about its items.
 */
export async function findBatch(
  challenges: Challenges,
  { userId, orgID, response }: Answer,
): Promise<BatchSubject & { challenge: Challenge }> {
  const { clientDataJSON } = response.response;
  const wanted = { clientDataJSON, purpose: 'approve-batch' as const, userId, orgId: orgID };
  const challenge = await findChallenge(challenges, wanted);
  const { batch, items } = batchSubject.parse(challenge.subject);
  // The signature covers the statements by their hashes only.
  const isWhole =
    statementChallenge(batch) === challenge.challenge &&
    items.every((one) => isInBatch(one.statement, batch));
  if (!isWhole) throw new AppError('challengeUnknown');
  return { challenge, batch, items };
}

/** The targets that an answer to a batch approves. @throws AppError As `findBatch`. */
export async function batchTargets(
  { challenges }: { challenges: Challenges },
  answer: Answer,
): Promise<ApprovalTarget[]> {
  return (await findBatch(challenges, answer)).items.map(({ target }) => target);
}

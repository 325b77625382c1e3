import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { AppError } from '../../app-error.ts';
import { findChallenge } from '../../authenticators/challenges.ts';
import type { Challenge, Challenges } from '../../authenticators/ports.ts';
import { type ApprovalTarget, approvalTarget } from '../../contract/approvals.ts';
import {
  type BatchStatement,
  batchStatement,
  type Statement,
  statement as statementSchema,
} from '../../contract/statement.ts';
import { isInBatch } from '../../proofs/verify-approval.ts';
import { statementChallenge } from './make-statement.ts';

/** The subject of a batch's challenge: the signed statement, and each single statement. */
export type BatchSubject = {
  batch: BatchStatement;
  items: { statement: Statement; target: ApprovalTarget }[];
};

type Answer = { userId: string; orgID: number; response: AuthenticationResponseJSON };

/**
 * Finds the challenge of a batch that an assertion answers, and what it was made for.
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
  const { batch, items } = parseSubject(challenge.subject as BatchSubject);
  // The signature covers the statements by their hashes only.
  const isWhole =
    statementChallenge(batch) === challenge.challenge &&
    items.every((one) => isInBatch(one.statement, batch));
  if (!isWhole) throw new AppError('challengeUnknown');
  return { challenge, batch, items };
}

const parseSubject = ({ batch, items }: BatchSubject): BatchSubject => ({
  batch: batchStatement.parse(batch),
  items: items.map(({ statement, target }) => ({
    statement: statementSchema.parse(statement),
    target: approvalTarget.parse(target),
  })),
});

/** The targets that an answer to a batch approves. @throws AppError As `findBatch`. */
export async function batchTargets(
  { challenges }: { challenges: Challenges },
  answer: Answer,
): Promise<ApprovalTarget[]> {
  return (await findBatch(challenges, answer)).items.map(({ target }) => target);
}

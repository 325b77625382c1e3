import { batchStatement, type Statement } from '../contract/statement.ts';
import { hashJson } from './bytes.ts';
import { type SignedStatement, verifyStatement } from './verify-statement.ts';

/**
 * Whether a batch is about this approval: it has the hash of its statement, and is of the same person, organization
 * and host.
 *
 * @param statement Exactly as it was signed.
 */
export function isInBatch(statement: Statement, batch: unknown): boolean {
  const { data: parsed } = batchStatement.safeParse(batch);
  if (!parsed) return false;
  return (
    parsed.approvals.includes(hashJson(statement)) &&
    parsed.host === statement.host &&
    parsed.user.id === statement.user.id &&
    parsed.org.id === statement.org.id
  );
}

export type SignedApproval = Omit<SignedStatement, 'statement'> & {
  statement: Statement;
  /** What was signed if it approved several commits at once; null or absent if the statement itself was. */
  batch?: SignedStatement['statement'] | null | undefined;
};

/**
 * Verifies that a key signed an approval: its statement, or a batch that is about it. As `verifyStatement`, also in
 * what it returns.
 */
export async function verifyApproval(signed: SignedApproval): Promise<{ userVerified: boolean } | null> {
  const { statement, batch, ...by } = signed;
  if (batch === undefined || batch === null) return verifyStatement({ statement, ...by });
  return isInBatch(statement, batch) ? verifyStatement({ statement: batch, ...by }) : null;
}

import { type Parties, statementParts } from '../../authenticators/step-up/challenges.ts';
import type { ShownFiles } from '../../contract/approvals.ts';
import { signedFiles } from '../../contract/signed-files.ts';
import type { AnyStatement, BatchStatement, DenyStatement, Statement } from '../../contract/statement.ts';
import type { Clock, Random } from '../../shared/clock.ts';
import { sha256Base64url, sha256OfJson } from '../../shared/crypto.ts';
import type { Origins } from '../../shared/links.ts';
import type { PullRequest } from '../ports.ts';

type StatementDeps = { origins: Pick<Origins, 'publicUrl'>; clock: Clock; random: Random };

/** Says what this person is about to approve: the pull request as it is now. */
export function makeStatement(
  { origins, clock, random }: StatementDeps,
  { pull, files, ...parties }: Parties & { pull: PullRequest; files?: ShownFiles | null },
): Statement {
  return {
    ...statementParts({ host: origins.publicUrl, clock, random }, parties),
    purpose: 'approve',
    ...toHead(pull),
    ...(files?.isComplete && { files: sha256OfJson(signedFiles(files.listed)) }),
  };
}

/** Says what this person is about to deny, and why. */
export function makeDenyStatement(
  { origins, clock, random }: StatementDeps,
  { pull, reason, ...parties }: Parties & { pull: PullRequest; reason: string },
): DenyStatement {
  return {
    ...statementParts({ host: origins.publicUrl, clock, random }, parties),
    purpose: 'deny',
    ...toHead(pull),
    reasonSha256: sha256Base64url(reason),
  };
}

function toHead({ repo: { id, owner, name }, number: pr, base, head }: PullRequest) {
  return { repo: { id, name: `${owner}/${name}` }, pr, base, head };
}

/** The statement that approves each of these statements with one signature, by its hash. */
export function makeBatchStatement(
  { origins, clock, random }: StatementDeps,
  { statements, ...parties }: Parties & { statements: Statement[] },
): BatchStatement {
  return {
    ...statementParts({ host: origins.publicUrl, clock, random }, parties),
    purpose: 'approve-batch',
    approvals: statements.map(statementChallenge),
  };
}

/** SHA-256, base64url, over a statement's RFC 8785 form: its WebAuthn challenge, or its entry in a batch. */
export const statementChallenge = (statement: AnyStatement | BatchStatement): string =>
  sha256OfJson(statement);

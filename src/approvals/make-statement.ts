import { statementParts } from '../authenticators/statement-parts.ts';
import type { Clock, Random } from '../clock.ts';
import type { BatchStatement, Statement } from '../contract/statement.ts';
import type { Origins } from '../links.ts';
import type { Organization } from '../organizations/ports.ts';
import type { Person } from '../people/ports.ts';
import { sha256OfJson } from '../sha256.ts';
import type { PullRequest } from './ports.ts';

export type StatementDeps = { origins: Pick<Origins, 'publicUrl'>; clock: Clock; random: Random };

/** What this person is about to approve: the pull request as it is now. */
export function makeStatement(
  { origins, clock, random }: StatementDeps,
  {
    person,
    org,
    pull,
  }: {
    person: Pick<Person, 'githubId' | 'login'>;
    org: Pick<Organization, 'orgId' | 'name'>;
    pull: PullRequest;
  },
): Statement {
  return {
    ...statementParts({ host: origins.publicUrl, clock, random }, { person, org }),
    purpose: 'approve',
    repo: { id: pull.repo.id, name: `${pull.repo.owner}/${pull.repo.name}` },
    pr: pull.number,
    base: pull.base,
    head: pull.head,
  };
}

/** The statement that approves each of these statements with one signature, by its hash. */
export function makeBatchStatement(
  { origins, clock, random }: StatementDeps,
  {
    person,
    org,
    statements,
  }: {
    person: Pick<Person, 'githubId' | 'login'>;
    org: Pick<Organization, 'orgId' | 'name'>;
    statements: Statement[];
  },
): BatchStatement {
  return {
    ...statementParts({ host: origins.publicUrl, clock, random }, { person, org }),
    purpose: 'approve-batch',
    approvals: statements.map(statementChallenge),
  };
}

/** SHA-256, base64url, over a statement's RFC 8785 form: its WebAuthn challenge, or its place in a batch. */
export const statementChallenge = (statement: Statement | BatchStatement): string => sha256OfJson(statement);

import { statementParts } from '../authenticators/statement-parts.ts';
import type { Clock, Random } from '../clock.ts';
import type { Statement } from '../contract/statement.ts';
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

/** The WebAuthn challenge of a statement, base64url: SHA-256 over its RFC 8785 form. */
export const statementChallenge = (statement: Statement): string => sha256OfJson(statement);

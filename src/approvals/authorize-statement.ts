import { AppError } from '../app-error.ts';
import type { ApprovalTarget } from '../contract/approvals.ts';
import type { Statement } from '../contract/statement.ts';
import type { Origins } from '../links.ts';
import type { Person } from '../people/ports.ts';
import {
  type AuthorizeDeps,
  type AuthorizedTarget,
  authorizeApprover,
  repositoryOf,
} from './authorize-approver.ts';
import { type CurrentRunDeps, currentRun } from './current-run.ts';
import type { CheckRunRecord } from './ports.ts';

export type AuthorizeStatementDeps = AuthorizeDeps & CurrentRunDeps & { origins: Pick<Origins, 'publicUrl'> };

/** A target with the head's run, as it was before the pull requests were read, and when that reading began. */
export type AuthorizedStatement = AuthorizedTarget & { run: CheckRunRecord | null; readFrom: Date };

/**
 * Reads from GitHub whether this person may approve now what they signed a while ago.
 *
 * @param onAsked Called when it only waits for GitHub.
 * @throws AppError with each refusal of `authorizeApprover`; `challengeUnknown`, `headMoved` or `baseMoved` if the
 *   statement is about something else than the target; `runBeingCreated`.
 */
export async function authorizeStatement(
  deps: AuthorizeStatementDeps,
  { person, statement, target }: { person: Person; statement: Statement; target: ApprovalTarget },
  onAsked?: () => void,
): Promise<AuthorizedStatement> {
  const readFrom = deps.clock.now();
  // Read before the pull requests, because only a run that is known before them may be completed by them.
  const { repo, head } = statement;
  const before = currentRun(deps, { repo: repositoryOf(target), repoId: repo.id, head });
  const [run, authorized] = await Promise.all([
    before,
    authorizeApprover(deps, person, target, { before, onAsked }),
  ]);
  requireSameTarget(deps, statement, { person, authorized });
  return { ...authorized, run, readFrom };
}

function requireSameTarget(
  { origins }: AuthorizeStatementDeps,
  statement: Statement,
  { person, authorized: { org, pull } }: { person: Person; authorized: AuthorizedTarget },
): void {
  // Every id: another repository can have the same number and head, and this one another owner since it was signed.
  const isSame =
    statement.host === origins.publicUrl &&
    statement.user.id === person.githubId &&
    statement.org.id === org.orgId &&
    statement.repo.id === pull.repo.id &&
    statement.pr === pull.number;
  if (!isSame) throw new AppError('challengeUnknown');
  if (statement.head !== pull.head) throw new AppError('headMoved');
  if (statement.base !== pull.base) throw new AppError('baseMoved');
}

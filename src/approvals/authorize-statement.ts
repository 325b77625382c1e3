import { AppError } from '../app-error.ts';
import type { ApprovalTarget } from '../contract/approvals.ts';
import type { Statement } from '../contract/statement.ts';
import type { Origins } from '../links.ts';
import type { Organization, Organizations } from '../organizations/ports.ts';
import type { Person } from '../people/ports.ts';
import { type AuthorizeDeps, type AuthorizedTarget, authorizeApprover } from './authorize-approver.ts';
import { type CurrentRunDeps, currentRun } from './current-run.ts';
import type { CheckRunRecord, HeadRef } from './ports.ts';

export type AuthorizeStatementDeps = AuthorizeDeps & { origins: Pick<Origins, 'publicUrl'> };

/**
 * The head's run as it was before the pull requests were read, because only a run that is known before them may be
 * completed by them; and when that reading began.
 */
type KnownRun = { run: CheckRunRecord | null; readFrom: Date };

/** What our records have before GitHub is asked; with the organization that the target names. */
export type BeforeAsking = KnownRun & { stored: Organization | null };

export type ReadBeforeAskingDeps = CurrentRunDeps & { organizations: Pick<Organizations, 'byOrgId'> };

/** @throws AppError `runBeingCreated`, `storeUnavailable`. */
export async function readBeforeAsking(
  deps: ReadBeforeAskingDeps,
  at: HeadRef,
  ownerId: number,
): Promise<BeforeAsking> {
  const readFrom = deps.clock.now();
  const [run, stored] = await Promise.all([currentRun(deps, at), deps.organizations.byOrgId(ownerId)]);
  return { run, stored, readFrom };
}

/** A target with the head's run. */
export type AuthorizedStatement = AuthorizedTarget & KnownRun;

/**
 * Reads from GitHub whether this person may approve now what they signed a while ago.
 *
 * @param input.before Read for this statement and target.
 * @param onAsked Called when it only waits for GitHub.
 * @throws AppError with each refusal of `authorizeApprover`; `challengeUnknown`, `headMoved` or `baseMoved` if the
 *   statement is about something else than the target.
 */
export async function authorizeStatement(
  deps: AuthorizeStatementDeps,
  input: { person: Person; statement: Statement; target: ApprovalTarget; before: BeforeAsking },
  onAsked?: () => void,
): Promise<AuthorizedStatement> {
  const { person, statement, target } = input;
  const { stored, ...known } = input.before;
  const authorized = await authorizeApprover(deps, person, target, { stored, onAsked });
  requireSameTarget(deps, statement, { person, authorized });
  return { ...authorized, ...known };
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

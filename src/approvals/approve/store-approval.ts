import type { NewActivity } from '../../audit/ports.ts';
import { accountOf } from '../../audit/subjects.ts';
import { loggedCredential, proofSha256 } from '../../authenticators/logged-credential.ts';
import type { ActivityData } from '../../contract/activity.ts';
import type { ApprovalAnswer } from '../../contract/approvals.ts';
import { authenticatorKinds } from '../../contract/authenticator-kinds.ts';
import type { LoggedVerdict } from '../../contract/log-entry.ts';
import type { AnyStatement, Statement } from '../../contract/statement.ts';
import type { Person } from '../../people/ports.ts';
import { pullUrl } from '../../shared/links.ts';
import { type JudgedHead, judgeHead, judgeRead, showHead, syncCheckRun } from '../check-run/head.ts';
import type { WriteOutcome } from '../check-run/write.ts';
import { needsOf, type Verdict } from '../judge/judge.ts';
import type { Approvals, NewGiven } from '../ports.ts';
import type { AuthorizedTarget } from './authorize-approver.ts';
import type { ApproveDeps } from './deps.ts';
import type { Counted } from './require-counted.ts';

/** A success must not be judged by what GitHub said long ago. */
const OLDEST_READING_MS = 5_000;

/** GitHub shows the verdict after these outcomes. */
const SHOWN: (WriteOutcome | 'stale')[] = ['first', 'written', 'unchanged'];

/** The answer if the check couldn't be judged after the approval was stored. */
const NOT_JUDGED = "OTP Guard can't tell yet what else the check needs.";

/** What GitHub confirmed about a target of any kind. */
export type AuthorizedIn = Pick<AuthorizedTarget, 'org' | 'repo' | 'fromOutside'>;

/** A decision of any kind that was verified, by the statement of it. */
export type VerifiedGiven<Signed extends AnyStatement, Authorized extends AuthorizedIn = AuthorizedTarget> = {
  person: Person;
  statement: Signed;
  /** The authenticator that made it, and its proof. */
  made: Pick<NewGiven, 'method' | 'authenticator' | 'userVerified' | 'aaguid' | 'modelVerified' | 'proof'>;
  authorized: Authorized;
  /** The authenticator's label, for the activity log. */
  label: string;
};

/** An approval that was verified. */
export type VerifiedApproval = VerifiedGiven<Statement> & Counted;

/**
 * Stores an approval of the authorized head, then updates GitHub. An outage
 * between the two delays the green check and loses nothing. The answer comes as
 * soon as GitHub shows the verdict. Looking again after that write continues in the background: until it has ended, the
 * approval counts as unreported, so a process that dies leaves it to the scheduler.
 */
export async function storeApproval(deps: ApproveDeps, approval: VerifiedApproval): Promise<ApprovalAnswer> {
  const { pull } = approval.authorized;
  const given = toNewGiven(approval, { opened: pull.createdAt });
  const { verdict: counted } = approval;
  const activity = givenActivity(approval, { verdict: counted });
  const added = await deps.approvals.add(given, { activity, notices: [] });
  const { verdict, isShown } = await showVerdict(deps, approval, added);
  const needs = verdict ? needsOf(verdict, pull.number) : NOT_JUDGED;
  const redirect = pullUrl(deps.origins, pull);
  return { redirect, reported: isShown, passed: verdict?.passed ?? false, needs };
}

type Added = Awaited<ReturnType<Approvals['add']>>;

/**
 * Judges the head with the approval. If it passes by what was read before, that decides: a withdrawal since then has
 * created a newer run. If it doesn't, another approval may have come since, so our records are read again; GitHub is
 * only asked again if storing took long.
 */
async function judgeWith(
  deps: ApproveDeps,
  { authorized: { reading, readAt }, statement, head, given }: VerifiedApproval,
  added: Added,
): Promise<JudgedHead | null> {
  if (deps.clock.now().getTime() - readAt.getTime() > OLDEST_READING_MS) return judgeHead(deps, head.headRef);
  const approval = added && given && { ...given, id: added.id, at: new Date(statement.iat * 1000) };
  const judged = approval && judgeRead(deps, head, [...head.approvals, approval]);
  return judged?.verdict.passed ? judged : judgeHead(deps, head.headRef, reading);
}

/** Never rejects: the approval is stored, and must not look refused. */
async function showVerdict(
  deps: ApproveDeps,
  approval: VerifiedApproval,
  added: Added,
): Promise<{ verdict: Verdict | null; isShown: boolean }> {
  const { headRef } = approval.head;
  let verdict: Verdict | null = null;
  try {
    const head = await judgeWith(deps, approval, added);
    verdict = head?.verdict ?? null;
    const outcome =
      head && (await showHead(deps, head, { reason: 'approval', checkpoint: added?.checkpoint }));
    if (outcome && SHOWN.includes(outcome)) {
      deps.onUnfinished(syncCheckRun(deps, headRef).catch(deps.onDelay));
      return { verdict, isShown: true };
    }
    const { written: _, ...synced } = await syncCheckRun(deps, headRef, {}, { reason: 'approval' });
    return { verdict: synced, isShown: synced.pulls.length > 0 };
  } catch (error) {
    deps.onDelay(error);
    return { verdict, isShown: false };
  }
}

/** What is stored of a decision of any kind. @param about What its statement doesn't say. */
export const toNewGiven = (
  {
    person,
    authorized: { org, repo, fromOutside },
    statement,
    made,
  }: VerifiedGiven<AnyStatement, AuthorizedIn>,
  about: Pick<NewGiven, 'opened' | 'reason'>,
): NewGiven => ({
  repo: { ...repo, id: statement.repo.id },
  org: { id: org.orgId, recordId: org.id, login: org.name },
  user: { id: person.githubId, recordId: person.userId, login: person.login },
  ...made,
  fromOutside,
  statement,
  ...about,
});

/** The log entry of a decision of any kind. @param more.verdict OTP Guard's decision with it. */
export function givenActivity(
  { person, authorized, statement, label, made }: VerifiedGiven<AnyStatement, AuthorizedIn>,
  { reason, verdict }: { reason?: string | undefined; verdict?: LoggedVerdict | null },
): NewActivity {
  const { org, repo } = authorized;
  const { method, userVerified, aaguid, modelVerified, proof } = made;
  const { userId, login } = person;
  const by = accountOf(person);
  return {
    activity: authenticatorKinds[method][statement.purpose],
    userId,
    orgRecordId: org.id,
    data: {
      ...{ type: method, label, login, user: login, ...subjectOf(statement) },
      ...{ repo: repo.name, org: org.name, ...(reason !== undefined && { reason }) },
    },
    facts: { repoId: statement.repo.id, userVerified, aaguid, modelVerified },
    personFacts: {
      by,
      holder: by,
      ...(proof && { credential: loggedCredential({ ...proof, keyId: proof.assertion.id }) }),
      proofSha256: proofSha256({ statement, assertion: null, publicKey: null, ...proof }),
      ...(verdict && { verdict }),
    },
  };
}

function subjectOf(statement: AnyStatement): ActivityData {
  const { head: sha } = statement;
  if ('pr' in statement) return { sha, pr: statement.pr, base: statement.base };
  return { sha, run: statement.run, environment: statement.environment, base: statement.ref };
}

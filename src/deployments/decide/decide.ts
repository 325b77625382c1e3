import { type Proof, prove } from '../../approvals/approve/prove.ts';
import { previewUses, toLoggedVerdict, type Use } from '../../approvals/approve/require-counted.ts';
import { givenActivity, toNewGiven, type VerifiedGiven } from '../../approvals/approve/store-approval.ts';
import { findNotices } from '../../approvals/deny/find-notices.ts';
import type { DeployAnswer, DeploymentTarget } from '../../contract/deployments.ts';
import type { LoggedVerdict } from '../../contract/log-entry.ts';
import { type ProblemCode, problems } from '../../contract/problems.ts';
import {
  type DeployStatement,
  deployStatement,
  type RejectStatement,
  rejectStatement,
} from '../../contract/statement.ts';
import type { NewNotice } from '../../notices/ports.ts';
import type { Person } from '../../people/ports.ts';
import { judgeApprovals } from '../../policies/judge-rules.ts';
import { AppError } from '../../shared/app-error.ts';
import { repositoryPage } from '../../shared/deployment-links.ts';
import type { DeployCallDeps } from '../deps.ts';
import { judgeDeployment, keyOf, needsOf } from '../judge/judge-deployment.ts';
import { syncDeployment } from '../review/sync-deployment.ts';
import { type AuthorizedDeployment, authorizeDecider } from './authorize-decider.ts';
import { makeDeploymentStatement } from './make-statement.ts';

type Signed = DeployStatement | RejectStatement;

/** The reason is undefined for an approval. */
type Input = { person: Person; reason: string | undefined };

/**
 * Approves or rejects a deployment with an assertion over its statement, or with a one-time code.
 *
 * @throws AppError with each refusal; nothing is decided then. `otherReason` if another reason was signed.
 */
export async function decide(
  deps: DeployCallDeps,
  input: Input & { target: DeploymentTarget; proof: Proof },
): Promise<DeployAnswer> {
  const { person, target, reason } = input;
  const isApproval = reason === undefined;
  const decision = await prove<Signed, AuthorizedDeployment, Counted>(deps, input, {
    purpose: isApproval ? 'deploy' : 'reject',
    schema: isApproval ? deployStatement : rejectStatement,
    async authorize(signed) {
      const authorized = await authorizeDecider(deps, person, target);
      if (signed) requireSame(deps, signed, { person, authorized });
      return authorized;
    },
    async requireCounted(authorized, use) {
      const verdict = await requireCounted(deps, { person, authorized, use: await use, reason });
      if (reason === undefined) return { verdict, notices: [] };
      const { repo, shown } = authorized;
      const about = { label: repo.name, run: shown.run.id, environment: shown.environment };
      const work = { kind: 'deployRejected', account: shown.run.startedBy, about } as const;
      return { verdict, notices: await findNotices(deps, { person, authorized, reason }, work) };
    },
    makeStatement: ({ shown }) => makeDeploymentStatement(deps, { person, shown, reason }),
  });
  return store(deps, { ...decision, reason });
}

function requireSame(
  { origins }: DeployCallDeps,
  statement: Signed,
  { person, authorized: { shown, org } }: { person: Person; authorized: AuthorizedDeployment },
): void {
  const { repoId, run, attempt, environment } = keyOf(shown);
  const isSame =
    statement.host === origins.publicUrl &&
    statement.user.id === person.githubId &&
    statement.org.id === org.orgId &&
    statement.repo.id === repoId &&
    statement.run === run &&
    statement.environment === environment &&
    statement.head === shown.run.head;
  if (!isSame) throw new AppError('challengeUnknown');
  if (statement.attempt !== attempt) throw new AppError('runMoved');
}

/**
 * Requires that the deployment waits and that this decision would count for something: call it before anything is used up.
 * Only a person whose approval would count may reject it.
 *
 * @returns OTP Guard's decision with it, for the log; null for a rejection, and without a use.
 */
async function requireCounted(
  deps: DeployCallDeps,
  { person, authorized, use, reason }: Input & { authorized: AuthorizedDeployment; use: Use | null },
): Promise<LoggedVerdict | null> {
  const { shown, deployment, fromOutside } = authorized;
  if (deployment.state !== 'waiting') throw new AppError('deploymentDecided');
  const { subject, grounds, policy, ...judged } = await judgeDeployment(deps, shown, { person });
  if (!use) return null;
  const { refusal: sentence } = previewUses(subject, grounds, { person, fromOutside, uses: [use] });
  if (sentence) throw new AppError('wouldNotCount', { sentence });
  if (reason !== undefined) return null;
  const given = judged.decisions.filter(({ decision }) => decision === 'approve');
  const approval = { ...use, id: '', githubId: person.githubId, login: person.login, fromOutside };
  const { rules, areMet } = judgeApprovals(subject, [...given, approval], grounds);
  const isStopped = judged.rejection !== null || judged.denials.length > 0;
  return toLoggedVerdict({ rules, passed: areMet && !isStopped }, policy);
}

type Counted = { verdict: LoggedVerdict | null; notices: NewNotice[] };
type Verified = VerifiedGiven<Signed, AuthorizedDeployment> & Counted & { reason: string | undefined };

/** Stores a decision, then reviews. An outage between the two delays the review and loses nothing. */
async function store(deps: DeployCallDeps, verified: Verified): Promise<DeployAnswer> {
  const { authorized, notices } = verified;
  const { repo, shown } = authorized;
  const effects = { activity: givenActivity(verified, verified), notices };
  await deps.approvals.add(toNewGiven(verified, { reason: verified.reason }), effects);
  const redirect = repositoryPage(deps.origins, repo, `actions/runs/${shown.run.id}`);
  try {
    const synced = await syncDeployment(deps, keyOf(shown), { isDecided: true });
    const { state, judged } = synced ?? { state: 'waiting', judged: null };
    // The scheduler may have been faster.
    const passed = judged?.passed ?? state === 'approved';
    const lacksMore = judged?.passed === false && !judged.rejection;
    const notJudged = state === 'waiting' ? NOT_JUDGED : problems.deploymentDecided[1];
    return {
      redirect,
      reported: state !== 'waiting' || lacksMore,
      passed,
      needs: judged ? needsOf(judged) : passed ? null : notJudged,
    };
  } catch (error) {
    // The error isn't thrown on: the decision is stored, and must not look refused.
    deps.onDelay(error);
    const isLasting = error instanceof AppError && LASTING.includes(error.code);
    return { redirect, reported: false, passed: false, needs: isLasting ? error.message : NOT_JUDGED };
  }
}

const NOT_JUDGED = "OTP Guard can't tell yet what else the deployment needs.";
/** Refusals of GitHub that only an owner ends. */
const LASTING: ProblemCode[] = ['permissionMissing', 'installationSuspended'];

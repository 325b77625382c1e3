import { readDetails, readPeople, type SomePerson } from '../../approvals/judge/read-grounds.ts';
import type { Decision, Denial, DeploymentKey } from '../../approvals/ports.ts';
import type { Policy } from '../../contract/policy.ts';
import type { Organization, RepositoryRef } from '../../organizations/ports.ts';
import type { Grounds, JudgedRule } from '../../policies/counts.ts';
import { type KnownPeople, NO_DETAILS, type PullDetails, type RuledPull } from '../../policies/details.ts';
import { detailsToRead, isAbout } from '../../policies/details-to-read.ts';
import { unite } from '../../policies/initiators.ts';
import { judgeApprovals, stillMissing } from '../../policies/judge-rules.ts';
import { policySha256 } from '../../policies/policy.ts';
import type { StoredPolicy } from '../../policies/ports.ts';
import type { DeploymentDeps } from '../deps.ts';
import type { WorkflowRun } from '../ports.ts';
import { approvedMerge, type Origin, readOrigin } from './origin.ts';

/** An approval lets jobs start for this long: those of a later wave, too. */
const APPROVAL_LIFE_MS = 24 * 60 * 60_000;

/** A run that GitHub just showed, at one environment, and the account that owns its repository. */
export type ShownRun = { repo: RepositoryRef; run: WorkflowRun; environment: string; org: Organization };

export type JudgedDeployment = {
  /** True if everything that is enforced is met, and nobody rejected it or denied its commit. */
  passed: boolean;
  /** The decisions in force, oldest first. */
  decisions: Decision[];
  /** The newest rejection. */
  rejection: Decision | null;
  /** The denials of its commit. */
  denials: Denial[];
  /** The approvals that count for something enforced. */
  approvals: Decision[];
  rules: JudgedRule<Decision>[];
  subject: RuledPull;
  grounds: Grounds;
  policy: StoredPolicy;
};

export const keyOf = ({ run, environment }: Pick<ShownRun, 'run' | 'environment'>): DeploymentKey => ({
  repoId: run.repoId,
  run: run.id,
  attempt: run.attempt,
  environment,
});

/**
 * Judges whether the jobs of a run's attempt may deploy to an environment, by the decisions and the policy in force now and
 * what its rules ask GitHub. The same rules decide as for a pull request.
 *
 * @param about.person Someone whose decision we want to know about before they make it.
 * @throws AppError `githubUnavailable`, `storeUnavailable`.
 */
export async function judgeDeployment(
  deps: DeploymentDeps,
  shown: ShownRun,
  { person, origin }: { person?: SomePerson | undefined; origin?: Origin | undefined } = {},
): Promise<JudgedDeployment> {
  const now = deps.clock.now();
  const { decisions, denials, policy } = await readInForce(deps, shown);
  const people = [...(person ? [person] : []), ...decisions];
  const { subject, grounds } = await readSubject(deps, shown, { policy: policy.policy, people, now, origin });
  return { ...judgeDecisions(decisions, { subject, grounds, denials }), subject, grounds, policy };
}

/**
 * Tells whether what passed still passes by the decisions and denials in force now, under the same policy. What GitHub said
 * about people is as it was judged.
 *
 * @throws AppError `storeUnavailable`.
 */
export async function stillPasses(
  deps: DeploymentDeps,
  shown: ShownRun,
  judged: JudgedDeployment,
): Promise<boolean> {
  const { decisions, denials, policy } = await readInForce(deps, shown);
  const isSamePolicy = policySha256(policy.policy) === policySha256(judged.policy.policy);
  return isSamePolicy && judgeDecisions(decisions, { ...judged, denials }).passed;
}

async function readInForce(deps: DeploymentDeps, shown: ShownRun) {
  const { repoId, head } = shown.run;
  const { orgId } = shown.org;
  const [decisions, ofHead, policy] = await Promise.all([
    deps.approvals.ofDeployment(keyOf(shown)),
    deps.approvals.ofHead(repoId, head),
    deps.policies.inForce(orgId),
  ]);
  return {
    decisions: decisions.filter((decision) => isInForce(decision, shown, deps.clock.now())),
    denials: ofHead.denials.filter((denial) => denial.orgId === orgId),
    policy,
  };
}

/** Judges these decisions about a deployment. */
export function judgeDecisions(
  decisions: Decision[],
  { subject, grounds, denials }: Pick<JudgedDeployment, 'subject' | 'grounds' | 'denials'>,
): Pick<JudgedDeployment, 'passed' | 'decisions' | 'rejection' | 'denials' | 'approvals' | 'rules'> {
  const given = decisions.filter(({ decision }) => decision === 'approve');
  const rejection = decisions.findLast(({ decision }) => decision === 'reject') ?? null;
  const { areMet, ...judged } = judgeApprovals(subject, given, grounds);
  const passed = rejection === null && denials.length === 0 && areMet;
  return { passed, decisions, rejection, denials, ...judged };
}

const isInForce = ({ decision, at, head, orgId }: Decision, { run, org }: ShownRun, now: Date): boolean =>
  head === run.head &&
  orgId === org.orgId &&
  (decision === 'reject' || now.getTime() - at.getTime() <= APPROVAL_LIFE_MS);

/** Says what the deployment still needs, as one sentence in plain text; null if it passes. */
export function needsOf({
  passed,
  rejection,
  denials: [denial],
  rules,
}: Pick<JudgedDeployment, 'passed' | 'rejection' | 'denials' | 'rules'>): string | null {
  if (passed) return null;
  const why = ({ reason }: { reason: string }) => reason && `: ${reason}`;
  if (rejection) return `${rejection.login} rejected this deployment${why(rejection)}`;
  if (denial) return `${denial.login} denied this commit${why(denial)}`;
  const lacks = rules.filter(({ enforced, met }) => enforced && !met);
  const words = lacks.map(({ counted, missing }) =>
    counted.length > 0 ? stillMissing(missing) : missing.replace(/\.$/, ''),
  );
  return `${words.join('; ')}.`;
}

type Asked = { policy: Policy; people: SomePerson[]; now: Date; origin: Origin | undefined };

async function readSubject(deps: DeploymentDeps, shown: ShownRun, asked: Asked) {
  const { repo, run, environment, org } = shown;
  const { policy, people, now } = asked;
  const hasRoots = deps.relyingParty.hasAttestationRoots;
  const deployment = { environment, starters: startersOf(run), isWithoutPull: false, mergedAt: null, now };
  // GitHub shows the branch of the pull request, and such a run is for another one.
  const base = run.event === 'pull_request_target' ? '' : run.ref;
  const plain: RuledPull = { repo, base, author: null, deployment };
  const rules = policy.rules.filter((rule) => isAbout(rule, plain) !== 'no');
  const asksOrigin = rules.some(({ require }) => require.notBy.length > 0 || require.satisfiedBy);
  const asksMerge = rules.some(({ require }) => require.satisfiedBy);
  const origin = asksOrigin ? (asked.origin ?? (await readOrigin(deps, repo, run))) : null;
  const subject: RuledPull = {
    ...plain,
    author: origin?.pull?.author ?? null,
    deployment: {
      ...deployment,
      starters: origin ? unite([deployment.starters, origin.others]) : deployment.starters,
      isWithoutPull: origin?.isKnown === true && origin.pull === null,
      mergedAt: origin && asksMerge ? await approvedMerge(deps, repo, origin) : null,
    },
  };
  const about = { org: { ...org, installationId: repo.installation }, repo, approvers: people };
  const details = origin?.pull
    ? await readDetails(deps, policy, { ...about, pull: { ...origin.pull, base, deployment } })
    : { ...NO_DETAILS, ...(await readPeople(deps, detailsToRead(policy, plain), { ...about, authors: [] })) };
  return { subject, grounds: { policy, details: withOthers(details ?? NO_DETAILS, origin), hasRoots } };
}

/** Nobody read the commits of the other pull requests. */
function withOthers(details: PullDetails, origin: Origin | null): PullDetails {
  const isAlone = !origin || (origin.others.people.length === 0 && origin.others.areAllKnown);
  return isAlone ? details : { ...details, commits: null };
}

/** Both attempts' people: a re-run of another's release doesn't make it one's own. */
function startersOf({ startedBy, firstStartedBy }: WorkflowRun): KnownPeople {
  const all = [startedBy, firstStartedBy];
  const people = all.filter((one) => one !== null);
  return { people, areAllKnown: people.length === all.length };
}

import { isTeam } from '../../contract/accounts.ts';
import { type Policy, parsePolicy } from '../../contract/policy.ts';
import type { PolicyTrialAnswer } from '../../contract/policy-calls.ts';
import type { Organization } from '../../organizations/ports.ts';
import { requireMember, requireOwner } from '../../organizations/require-role.ts';
import type { Session } from '../../people/ports.ts';
import { requirePolicy } from '../../policies/policy.ts';
import { AppError } from '../../shared/app-error.ts';
import { requireOpen } from '../approve/authorize-approver.ts';
import type { HeadDeps } from '../deps.ts';
import { judgeNow } from '../judge/read-grounds.ts';

/**
 * Says how a policy that isn't in force would judge an open pull request and the
 * approvals it has now. Changes nothing.
 *
 * @throws AppError `notMember`, `notOwner` for rules about teams that the policy in force doesn't name, `wrongPolicy` with the path of the first fault,
 *   `noRepositoryAccess`, `pullNotFound`, `pullMerged`, `pullClosed`.
 */
export async function tryPolicy(
  deps: HeadDeps,
  input: { person: Session; orgID: number; policy: unknown; repo: string; pr: number },
): Promise<PolicyTrialAnswer> {
  const { person, orgID } = input;
  const org = await requireMember(deps, person, orgID);
  const { policy } = requirePolicy(input.policy);
  await requireKnownTeams(deps, { person, org, policy });
  const repo = { installation: org.installationId, owner: org.name, name: input.repo };
  // The access comes first, because a pull request that a person may not see doesn't exist for them.
  if ((await deps.access.permission(repo, person)) === 'none') throw new AppError('noRepositoryAccess');
  const pull = await deps.pulls.get(repo, input.pr);
  if (!pull || pull.repo.ownerId !== org.orgId) throw new AppError('pullNotFound');
  requireOpen(pull);
  const { passed, rules, agents } = await judgeNow(deps, { repo, pull, policy });
  return {
    passed,
    rules: rules.map(({ name, enforced, met, missing }) => ({ name, enforced, met, missing })),
    agents,
  };
}

/** This many teams, or patterns, cost as much as another trial. */
const TEAMS_A_TRIAL = 10;
const PATTERNS_A_TRIAL = 100;
const MOST_TRIALS = 10;

/**
 * The cost of this policy in trials of a small one: by the requests to GitHub that its teams take, and by the processor
 * time that its patterns take. At most ten, so that the largest policy can be tried too.
 */
export function trialCost(sent: unknown): { requests: number; work: number } {
  const { policy } = parsePolicy(sent);
  if (!policy) return { requests: 1, work: 1 };
  const teams = new Set(teamsOf(policy)).size;
  const patterns = policy.rules.flatMap(({ when: { repositories = [], branches = [], paths = [] } }) => [
    ...repositories,
    ...branches,
    ...paths,
  ]).length;
  const trials = (count: number, each: number) => Math.min(MOST_TRIALS, 1 + Math.floor(count / each));
  return { requests: trials(teams, TEAMS_A_TRIAL), work: trials(patterns, PATTERNS_A_TRIAL) };
}

/** A team's members can be secret, and a rule about the team would tell them. */
async function requireKnownTeams(
  deps: HeadDeps,
  { person, org, policy }: { person: Session; org: Organization; policy: Policy },
): Promise<void> {
  const wanted = teamsOf(policy);
  if (wanted.length === 0) return;
  const knownTeams = teamsOf((await deps.policies.inForce(org.orgId)).policy);
  if (wanted.every((team) => knownTeams.includes(team))) return;
  await requireOwner(deps, person, org.orgId);
}

const teamsOf = ({ rules }: Policy): string[] =>
  rules
    .flatMap(({ when: { authors }, require: { from } }) => [...from, ...[authors].flat()])
    .filter(isTeam)
    .map((name) => name.toLowerCase());

import type { Response } from 'express';
import { callerOf } from './authenticate.ts';
import { bypassModeOf, mayBypassProtection } from './bypass.ts';
import type { CheckRun, Pull, Repository } from './github-objects.ts';
import type { RouteDeps } from './route-deps.ts';
import type { RuleEvaluation } from './rule-suites.ts';
import { type BypassActor, checksOf, type RequiredCheck, requiresPull } from './rulesets.ts';

type Deps = Pick<
  RouteDeps,
  | 'emulator'
  | 'apiUrl'
  | 'credentials'
  | 'installations'
  | 'rulesets'
  | 'protections'
  | 'roles'
  | 'ruleSuites'
>;

/** A commit that is to become the tip of a branch. */
export type BranchUpdate = { repo: Repository; branch: string; sha: string };

/** One ruleset or protection that requires checks or a pull request. */
type Requirement = {
  source: RuleEvaluation['rule_source'];
  enforcement: string;
  checks: readonly RequiredCheck[];
  needsPull: boolean;
  /** Who may go around it; `administrators` are those of the repository. */
  bypass: readonly BypassActor[] | 'administrators';
};

const PASSED = ['success', 'neutral', 'skipped'];

/** GitHub takes the newest run of the name: of the App that the rule names, or else of any. */
const isPassed = (newestFirst: readonly CheckRun[], { context, integration_id }: RequiredCheck) => {
  const newest = newestFirst.find(
    ({ name, app }) => name === context && (integration_id === undefined || integration_id === app?.id),
  );
  return PASSED.includes(newest?.conclusion ?? '');
};

function requirementsOf(deps: Deps, { repo, branch }: BranchUpdate): Requirement[] {
  const protection = deps.protections.find(repo, branch);
  const classic = (protection?.checks ?? []).map(({ context, app_id }) => ({
    context,
    ...(app_id !== null && { integration_id: app_id }),
  }));
  const rulesets = deps.rulesets.forBranch(repo, branch).map((ruleset) => ({
    source: { type: 'ruleset', id: ruleset.id, name: ruleset.name },
    enforcement: ruleset.enforcement,
    checks: checksOf(ruleset),
    needsPull: requiresPull(ruleset),
    bypass: ruleset.bypass_actors,
  }));
  const own: Requirement = {
    source: { type: 'protected_branch', id: null, name: null },
    enforcement: 'active',
    checks: classic,
    needsPull: protection?.needsPull ?? false,
    bypass: protection?.enforceAdmins ? [] : 'administrators',
  };
  return [...rulesets, own].filter(({ checks, needsPull }) => checks.length > 0 || needsPull);
}

/** The newest run of each App and name, newest first: from our own routes, which name their Apps. */
async function readNewestRuns(
  { apiUrl, credentials }: Deps,
  { repo, sha }: BranchUpdate,
): Promise<CheckRun[]> {
  const path = `/repos/${repo.full_name}/commits/${encodeURIComponent(sha)}/check-runs?per_page=100`;
  const headers = { authorization: `Bearer ${credentials.adminToken}` };
  const response = await fetch(`${apiUrl}${path}`, { headers });
  if (!response.ok) return [];
  return ((await response.json()) as { check_runs: CheckRun[] }).check_runs;
}

/** The name of a check that the branch requires, by a ruleset or by branch protection, and that the commit lacks. */
export async function findMissingCheck(deps: Deps, update: BranchUpdate): Promise<string | undefined> {
  const required = requirementsOf(deps, update).filter(({ enforcement }) => enforcement === 'active');
  if (required.length === 0) return undefined;
  const runs = await readNewestRuns(deps, update);
  return required.flatMap(({ checks }) => checks).find((check) => !isPassed(runs, check))?.context;
}

async function modeOf(deps: Deps, res: Response, repo: Repository, { bypass }: Requirement) {
  if (bypass !== 'administrators') return bypassModeOf(deps, res, { repo, actors: bypass });
  return (await mayBypassProtection(deps, res, repo)) ? 'always' : undefined;
}

const PULL_EXPECTED = 'Changes must be made through a pull request.';

/** GitHub also takes a push of a commit that is the head of an open pull request into the branch. */
async function hasPull({ emulator }: Deps, { repo, branch, sha }: BranchUpdate): Promise<boolean> {
  const pulls = await emulator.list<Pull>(`/repos/${repo.full_name}/pulls?state=open`);
  return pulls.some(({ base, head }) => base.ref === branch && head.sha === sha);
}

/**
 * Evaluates the rules for an update by the caller. `refusal` is what GitHub says if they may not go around a rule that
 * refuses it; if there is none, `record` adds the rule suite once the branch has moved.
 */
export async function evaluateRules(
  deps: Deps,
  res: Response,
  update: BranchUpdate & { isPull: boolean },
): Promise<{ refusal: string | undefined; record(after: string): void }> {
  const requirements = requirementsOf(deps, update);
  const runs = requirements.length > 0 ? await readNewestRuns(deps, update) : [];
  const { repo, branch } = update;
  const tip = await deps.emulator.get<{ object: { sha: string } }>(
    `/repos/${repo.full_name}/git/ref/heads/${branch}`,
  );
  // A new branch gets its first commit by a push.
  const isPull = update.isPull || !tip || (await hasPull(deps, update));
  const evaluations: RuleEvaluation[] = [];
  const violations = new Set<string>();
  for (const requirement of requirements) {
    const mode = await modeOf(deps, res, update.repo, requirement);
    // GitHub doesn't run a rule for an exempt actor, and writes nothing about it.
    if (mode === 'exempt') continue;
    const mayBypass = mode === 'always' || (mode === 'pull_request' && update.isPull);
    const evaluate = (rule_type: string, details: string | null) => {
      const { source: rule_source, enforcement } = requirement;
      const result = details === null ? 'pass' : 'fail';
      evaluations.push({ rule_source, enforcement, result, rule_type, details });
      if (details !== null && enforcement === 'active' && !mayBypass) violations.add(details);
    };
    if (requirement.needsPull) evaluate('pull_request', isPull ? null : PULL_EXPECTED);
    if (requirement.checks.length === 0) continue;
    const lacking = requirement.checks.find((check) => !isPassed(runs, check))?.context;
    const details = lacking === undefined ? null : `Required status check "${lacking}" is expected.`;
    evaluate('required_status_checks', details);
  }
  const before = tip?.object.sha ?? '0'.repeat(40);
  const caller = callerOf(res);
  const actor = caller.kind === 'personal' || caller.kind === 'user' ? caller.login : null;
  return {
    refusal:
      violations.size > 0 ? ['Repository rule violations found', ...violations].join('\n\n') : undefined,
    record: (after) => {
      if (evaluations.length > 0) deps.ruleSuites.add({ repo, branch, before, after, actor, evaluations });
    },
  };
}

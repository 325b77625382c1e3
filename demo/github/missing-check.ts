import type { CheckRun, Repository } from './github-objects.ts';
import type { RouteDeps } from './route-deps.ts';
import type { RequiredCheck } from './rulesets.ts';

type Protection = { required_status_checks?: { contexts?: string[] } | null };

const PASSED = ['success', 'neutral', 'skipped'];

const isPassed = (runs: readonly CheckRun[], { context, integration_id }: RequiredCheck) =>
  runs.some(
    ({ name, conclusion, app }) =>
      name === context &&
      PASSED.includes(conclusion ?? '') &&
      (integration_id === undefined || integration_id === app?.id),
  );

/** A commit that is to become the tip of a branch. */
export type BranchUpdate = { repo: Repository; branch: string; sha: string };

/**
 * The name of a check that the branch requires, by its ruleset or by branch protection, and that the commit lacks.
 * GitHub takes only the newest run of a name; the emulator would accept any.
 */
export async function findMissingCheck(
  deps: Pick<RouteDeps, 'emulator' | 'apiUrl' | 'credentials' | 'rulesets'>,
  update: BranchUpdate,
): Promise<string | undefined> {
  const { repo, branch } = update;
  const path = `/repos/${repo.full_name}/branches/${encodeURIComponent(branch)}/protection`;
  const protection = await deps.emulator.get<Protection>(path);
  const contexts = protection?.required_status_checks?.contexts ?? [];
  const ruled = deps.rulesets.find(repo.id, branch)?.checks ?? [];
  const required = [...contexts.map((context) => ({ context })), ...ruled];
  if (required.length === 0) return undefined;
  const runs = await readNewestRuns(deps, update);
  return required.find((check) => !isPassed(runs, check))?.context;
}

/** The sentence with which GitHub refuses such an update. */
export const missingCheckMessage = (name: string) =>
  `Repository rule violations found\n\nRequired status check "${name}" is expected.`;

/** From our own routes, because they also list the runs on a fork's commits. */
async function readNewestRuns(
  { apiUrl, credentials }: Pick<RouteDeps, 'apiUrl' | 'credentials'>,
  { repo, sha }: BranchUpdate,
): Promise<CheckRun[]> {
  const path = `/repos/${repo.full_name}/commits/${encodeURIComponent(sha)}/check-runs?per_page=100`;
  const headers = { authorization: `Bearer ${credentials.adminToken}` };
  const response = await fetch(`${apiUrl}${path}`, { headers });
  if (!response.ok) return [];
  const { check_runs: runs } = (await response.json()) as { check_runs: CheckRun[] };
  return runs.filter((run) => !runs.some((other) => other.name === run.name && other.id > run.id));
}

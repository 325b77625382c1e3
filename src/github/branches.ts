import type { Branches } from '../approvals/ports.ts';
import type { CheckRequirement } from '../contract/organization-health.ts';
import type { RepositoryRef, RequiredChecks } from '../organizations/ports.ts';
import type { GitHubApp } from './app.ts';
import { requireBudget } from './budgets.ts';
import { CHECK_NAME } from './check-runs.ts';
import { fromGitHub, NOT_VISIBLE } from './from-github.ts';

/** A check that a branch requires, and the App it must come from; null for any source. */
type RequiredCheck = { context: string; app: number | null };

export function createBranches(app: GitHubApp, appId: number): Branches & RequiredChecks {
  return {
    async requirement(repo, branch) {
      requireBudget(app.budget, repo.installation);
      const [byRules, byProtection] = await Promise.all([
        requiredByRules(app, repo, branch),
        requiredByProtection(app, repo, branch),
      ]);
      const found = strongest([...byRules, ...(byProtection ?? [])], appId);
      return found === 'no' && byProtection === null ? 'unknown' : found;
    },

    async tip({ installation, owner, name }, branch) {
      const octokit = await app.asInstallation(installation);
      const request = octokit.rest.checks.listSuitesForRef({
        owner,
        repo: name,
        ref: `heads/${branch}`,
        per_page: 1,
      });
      const found = await fromGitHub(request, { 409: null });
      return found?.data.check_suites[0]?.head_sha ?? null;
    },
  };
}

/** Everyone can read rulesets. */
async function requiredByRules(
  app: GitHubApp,
  { installation, owner, name }: RepositoryRef,
  branch: string,
): Promise<RequiredCheck[]> {
  const octokit = await app.asInstallation(installation);
  const request = octokit.paginate(octokit.rest.repos.getBranchRules, {
    owner,
    repo: name,
    branch,
    per_page: 100,
  });
  const rules = (await fromGitHub(request, NOT_VISIBLE)) ?? [];
  return rules
    .flatMap((rule) => (rule.type === 'required_status_checks' ? [rule.parameters] : []))
    .flatMap((parameters) => parameters?.required_status_checks ?? [])
    .map(({ context, integration_id }) => ({ context, app: integration_id ?? null }));
}

/** Branch protection, GitHub's older form; null if we lack the permission to read settings. */
async function requiredByProtection(
  app: GitHubApp,
  { installation, owner, name }: RepositoryRef,
  branch: string,
): Promise<RequiredCheck[] | null> {
  const octokit = await app.asInstallation(installation);
  const request = octokit.rest.repos.getStatusChecksProtection({ owner, repo: name, branch });
  const protection = await fromGitHub(request, { 403: 'forbidden', 404: 'none' } as const);
  if (protection === 'forbidden') return null;
  if (protection === 'none') return [];
  return protection.data.checks.map(({ context, app_id }) => ({ context, app: app_id }));
}

function strongest(required: RequiredCheck[], appId: number): CheckRequirement {
  const ours = required.filter(({ context }) => context === CHECK_NAME);
  if (ours.some(({ app }) => app === appId)) return 'thisApp';
  return ours.some(({ app }) => app === null || app < 0) ? 'anySource' : 'no';
}

import type { Branches } from '../../approvals/ports.ts';
import type { CheckRequirement } from '../../contract/organization-health.ts';
import type { RequiredChecks } from '../../organizations/ports.ts';
import type { GitHubApp, Octokit } from './app.ts';
import { CHECK_NAME } from './check-runs.ts';
import { read, readList } from './conditional-reads.ts';
import { fromGitHub, NOT_READABLE } from './from-github.ts';
import { requireBudget } from './rate-limits.ts';

/** A check that a branch requires, and the App it must come from; null for any source. */
type RequiredCheck = { context: string; app: number | null };

type Branch = { owner: string; repo: string; branch: string };

export function createBranches(app: GitHubApp, appId: number): Branches & RequiredChecks {
  return {
    async requirement(repo, branch) {
      requireBudget(app.budget, repo.installation);
      const octokit = await app.asInstallation(repo.installation);
      const at = { owner: repo.owner, repo: repo.name, branch };
      const [byRules, byProtection] = await Promise.all([
        requiredByRules(octokit, at),
        requiredByProtection(octokit, at),
      ]);
      const found = strongest([...byRules, ...(byProtection ?? [])], appId);
      return found === 'no' && byProtection === null ? 'unknown' : found;
    },

    async tip({ installation, owner, name }, branch, candidate) {
      const octokit = await app.asInstallation(installation);
      const at = { owner, repo: name };
      const newestSuite = async () => {
        const request = octokit.rest.checks.listSuitesForRef({ ...at, ref: `heads/${branch}`, per_page: 1 });
        const found = await fromGitHub(request, { 409: null });
        return found?.data.check_suites[0]?.head_sha ?? null;
      };
      const shown = await newestSuite();
      if (shown !== null || candidate === undefined) return shown;
      // A commit has no suite if it was pushed before the App was installed, asked for none, or nobody wants them.
      const made = await fromGitHub(octokit.rest.checks.createSuite({ ...at, head_sha: candidate }), {
        422: null,
      });
      return made && newestSuite();
    },
  };
}

/** Everyone can read rulesets. */
async function requiredByRules(octokit: Octokit, at: Branch): Promise<RequiredCheck[]> {
  const request = readList(
    (page) => octokit.rest.repos.getBranchRules({ ...at, ...page }),
    (rules) => rules.map((rule) => (rule.type === 'required_status_checks' ? rule.parameters : undefined)),
  );
  const rules = (await fromGitHub(request, NOT_READABLE)) ?? [];
  return rules
    .flatMap((parameters) => parameters?.required_status_checks ?? [])
    .map(({ context, integration_id }) => ({ context, app: integration_id ?? null }));
}

/** Branch protection, GitHub's older form; null if we lack the permission to read settings. */
async function requiredByProtection(octokit: Octokit, at: Branch): Promise<RequiredCheck[] | null> {
  const request = read(
    (conditional) => octokit.rest.repos.getStatusChecksProtection({ ...at, ...conditional }),
    requiredIn,
  );
  const protection = await fromGitHub(request, { permission: 'forbidden', 404: 'none' } as const);
  if (protection === 'forbidden') return null;
  return protection === 'none' ? [] : protection;
}

/** `contexts` is the older form, which says nothing about sources; one of the two may be left out. */
type Protection = { checks?: { context: string; app_id: number | null }[]; contexts?: string[] };

const requiredIn = ({ checks, contexts = [] }: Protection): RequiredCheck[] =>
  checks
    ? checks.map(({ context, app_id }) => ({ context, app: app_id }))
    : contexts.map((context) => ({ context, app: null }));

function strongest(required: RequiredCheck[], appId: number): CheckRequirement {
  const ours = required.filter(({ context }) => context === CHECK_NAME);
  if (ours.some(({ app }) => app === appId)) return 'thisApp';
  return ours.some(({ app }) => app === null || app < 0) ? 'anySource' : 'no';
}

import type { Branches } from '../../approvals/ports.ts';
import type { CheckRequirement } from '../../contract/organization-health.ts';
import type { RepositoryRef, RequiredChecks } from '../../organizations/ports.ts';
import type { GitHubApp } from './app.ts';
import { CHECK_NAME } from './check-runs.ts';
import { createAnswerCache, createPageCache, ifChanged, unchanged } from './conditional-reads.ts';
import { fromGitHub, NOT_READABLE } from './from-github.ts';
import { requireBudget } from './rate-limits.ts';

/** A check that a branch requires, and the App it must come from; null for any source. */
type RequiredCheck = { context: string; app: number | null };

export function createBranches(app: GitHubApp, appId: number): Branches & RequiredChecks {
  const requiredByRules = createReadRules(app);
  const requiredByProtection = createReadProtection(app);
  return {
    async requirement(repo, branch) {
      requireBudget(app.budget, repo.installation);
      const [byRules, byProtection] = await Promise.all([
        requiredByRules(repo, branch),
        requiredByProtection(repo, branch),
      ]);
      const found = strongest([...byRules, ...(byProtection ?? [])], appId);
      return found === 'no' && byProtection === null ? 'unknown' : found;
    },

    async tip({ installation, owner, name }, branch, candidate) {
      const octokit = await fromGitHub(app.asInstallation(installation));
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

type Read<T> = (repo: RepositoryRef, branch: string) => Promise<T>;

const nameOf = ({ installation, owner, name }: RepositoryRef, branch: string) =>
  `${installation}:${owner}/${name}:${branch}`;

/** Everyone can read rulesets. */
function createReadRules(app: GitHubApp): Read<RequiredCheck[]> {
  const list = createPageCache();
  return async (repo, branch) => {
    const octokit = await app.asInstallation(repo.installation);
    const at = { owner: repo.owner, repo: repo.name, branch, per_page: 100 };
    const request = list(
      nameOf(repo, branch),
      (page, etag) => octokit.rest.repos.getBranchRules({ ...at, page, ...ifChanged(etag) }).catch(unchanged),
      (rule) => (rule.type === 'required_status_checks' ? rule.parameters : undefined),
    );
    const rules = (await fromGitHub(request, NOT_READABLE)) ?? [];
    return rules
      .flatMap((parameters) => parameters?.required_status_checks ?? [])
      .map(({ context, integration_id }) => ({ context, app: integration_id ?? null }));
  };
}

/** Branch protection, GitHub's older form; null if we lack the permission to read settings. */
function createReadProtection(app: GitHubApp): Read<RequiredCheck[] | null> {
  const read = createAnswerCache<RequiredCheck[]>();
  return async (repo, branch) => {
    const octokit = await app.asInstallation(repo.installation);
    const at = { owner: repo.owner, repo: repo.name, branch };
    const request = read(nameOf(repo, branch), (etag) =>
      octokit.rest.repos
        .getStatusChecksProtection({ ...at, ...ifChanged(etag) })
        .then(({ data, headers }) => ({ data: requiredIn(data), etag: headers.etag ?? '' }))
        .catch(unchanged),
    );
    const protection = await fromGitHub(request, { permission: 'forbidden', 404: 'none' } as const);
    if (protection === 'forbidden') return null;
    return protection === 'none' ? [] : protection;
  };
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

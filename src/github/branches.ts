import type { Branches } from '../approvals/ports.ts';
import type { CheckRequirement } from '../contract/organization.ts';
import type { GitHubApp } from './app.ts';
import { CHECK_NAME } from './check-runs.ts';
import { answer } from './errors.ts';

/** A check that a rule asks for, and the App that it must come from; null for any. */
type Wanted = { context: string; app: number | null };

const FORBIDDEN = { forbidden: 'unknown' } as const;

export function createBranches(app: GitHubApp, appId: number): Branches {
  return {
    async requirement({ installation, owner, name }, branch) {
      const octokit = await app.asInstallation(installation);
      const place = { owner, repo: name, branch };
      // Rulesets are there for everyone to read; the older branch protection needs leave to read settings.
      const [rules, protection] = await Promise.all([
        answer(
          octokit.paginate(octokit.rest.repos.getBranchRules, { ...place, per_page: 100 }),
          [403, 404],
          null,
        ),
        answer(octokit.rest.repos.getStatusChecksProtection(place), [403, 404], null, FORBIDDEN),
      ]);
      const byRules = (rules ?? []).flatMap((rule) =>
        rule.type === 'required_status_checks'
          ? (rule.parameters?.required_status_checks ?? []).map(({ context, integration_id }) => ({
              context,
              app: integration_id ?? null,
            }))
          : [],
      );
      const byProtection =
        protection && protection !== 'unknown'
          ? protection.data.checks.map(({ context, app_id }) => ({ context, app: app_id }))
          : [];
      const found = strongest([...byRules, ...byProtection], appId);
      return found === 'no' && protection === 'unknown' ? 'unknown' : found;
    },

    async tip({ installation, owner, name }, branch) {
      const octokit = await app.asInstallation(installation);
      const asked = octokit.rest.checks.listSuitesForRef({
        owner,
        repo: name,
        ref: `heads/${branch}`,
        per_page: 1,
      });
      const found = await answer(asked, [409], null);
      return found?.data.check_suites[0]?.head_sha ?? null;
    },
  };
}

function strongest(wanted: Wanted[], appId: number): CheckRequirement {
  const ours = wanted.filter(({ context }) => context === CHECK_NAME);
  if (ours.some(({ app }) => app === appId)) return 'thisApp';
  return ours.some(({ app }) => app === null || app < 0) ? 'anySource' : 'no';
}

import type { OrganizationHealth } from '../contract/organization-health.ts';
import type { GitHubRepository, Installation, Organization } from '../organizations/ports.ts';

/** Our check, and the App that it must come from. */
export type RequiredCheck = { name: string; appId: number };

/**
 * Rulesets for owners to import on GitHub, which require the check from our App
 * on the default branch. GitHub offers a check for selection only if it
 * completed in the last seven days; an import names it directly
 * (docs.github.com, "Troubleshooting required status checks"). A check belongs
 * to a commit, and GitHub accepts a push of a commit whose checks passed
 * ("Available rules for rulesets"): so the rule also asks for a pull request.
 */
export function makeRulesets(
  check: RequiredCheck,
  { org, installation, repositories, githubUrl }: About,
): OrganizationHealth['rulesets'] {
  const repository = rulesetOf(check);
  if (org.accountType === 'User') return { repository, organization: null };
  // In a repository that the App can't see, nobody could ever complete the check.
  const names = installation.repositorySelection === 'all' ? ['~ALL'] : repositories.map(({ name }) => name);
  const conditions = { ...repository.conditions, repository_name: { include: names.sort(), exclude: [] } };
  return {
    repository,
    organization: {
      ruleset: { ...repository, conditions },
      url: `${githubUrl}/organizations/${org.name}/settings/rules`,
    },
  };
}

type About = {
  org: Organization;
  installation: Installation;
  repositories: GitHubRepository[];
  githubUrl: string;
};

const rulesetOf = ({ name, appId }: RequiredCheck) => ({
  name,
  target: 'branch',
  enforcement: 'active',
  conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
  rules: [
    {
      type: 'required_status_checks',
      parameters: {
        strict_required_status_checks_policy: false,
        // Otherwise a new repository could never get its first commit.
        do_not_enforce_on_create: true,
        required_status_checks: [{ context: name, integration_id: appId }],
      },
    },
    {
      type: 'pull_request',
      parameters: {
        required_approving_review_count: 0,
        dismiss_stale_reviews_on_push: false,
        require_code_owner_review: false,
        require_last_push_approval: false,
        required_review_thread_resolution: false,
      },
    },
  ],
  bypass_actors: [],
});

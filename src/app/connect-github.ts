import type { GitHubApp } from '../adapters/github/app.ts';
import { createSentWebhooks } from '../adapters/github/app-registration.ts';
import { createBranches } from '../adapters/github/branches.ts';
import { CHECK_NAME, createCheckRuns } from '../adapters/github/check-runs.ts';
import { createInstallations } from '../adapters/github/installations.ts';
import { createMembers, createTeams } from '../adapters/github/members.ts';
import { createOpenHeads } from '../adapters/github/open-heads.ts';
import { createProtections } from '../adapters/github/protection.ts';
import { createPullChanges } from '../adapters/github/pull-changes.ts';
import {
  createCommitPulls,
  createHeadCommits,
  createPullRequests,
} from '../adapters/github/pull-requests.ts';
import { BACKGROUND_RESERVE } from '../adapters/github/rate-limits.ts';
import { createRepositoryAccess } from '../adapters/github/repository-access.ts';
import { createRuleSuites } from '../adapters/github/rule-suites.ts';
import { createUserTokens } from '../adapters/github/user-tokens.ts';
import { createWorkflowRuns } from '../adapters/github/workflow-runs.ts';
import type { GitHubConfig } from '../settings/config.ts';
import type { Clock } from '../shared/clock.ts';

/** The ports that GitHub's API implements, by the room that declares them. */
export function connectGitHub(app: GitHubApp, { appId, serverUrl }: GitHubConfig, clock: Clock) {
  const access = createRepositoryAccess(app, clock);
  const installations = createInstallations(app, serverUrl);
  const protections = createProtections(app, installations, { appId, serverUrl });
  return {
    people: { tokens: createUserTokens(app, serverUrl) },
    organizations: { installations, members: createMembers(app, access, clock) },
    protection: {
      protections,
      requiredChecks: protections,
      requiredCheck: { name: CHECK_NAME, appId },
    },
    approvals: {
      access,
      branches: createBranches(app),
      checkRuns: createCheckRuns(app, appId),
      commitPulls: createCommitPulls(app),
      headCommits: createHeadCommits(app),
      openHeads: createOpenHeads(app, appId),
      pullChanges: createPullChanges(app),
      pulls: createPullRequests(app),
      ruleSuites: createRuleSuites(app),
      sentWebhooks: createSentWebhooks(app),
      teams: createTeams(app, clock),
    },
    deployments: { workflowRuns: createWorkflowRuns(app, appId) },
    backgroundBudget: {
      lowUntil: (installation: number) => app.budget.lowUntil(installation, BACKGROUND_RESERVE),
      spare: (installation: number) => app.budget.spare(installation, BACKGROUND_RESERVE),
    },
  };
}

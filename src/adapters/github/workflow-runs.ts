import type { RunReview, WorkflowRun, WorkflowRuns } from '../../deployments/ports.ts';
import type { Contributor } from '../../policies/details.ts';
import { AppError } from '../../shared/app-error.ts';
import type { GitHubApp } from './app.ts';
import { fromGitHub, NOT_READABLE } from './from-github.ts';
import type { RequestOptions } from './octokit.ts';
import { FULL_PAGE } from './pages.ts';

type Account = { id: number; login: string; type?: string; avatar_url?: string } | null | undefined;

/** The fields we read of GitHub's workflow run. */
type GitHubRun = {
  id: number;
  run_attempt?: number;
  head_sha: string;
  head_branch: string | null;
  event: string;
  path?: string;
  display_title?: string;
  status: string | null;
  conclusion: string | null;
  actor?: Account;
  triggering_actor?: Account;
  repository: { id: number; owner: { id: number } | null };
  head_repository: { id: number } | null;
};

const toContributor = (account: Account): Contributor | null =>
  account ? { id: account.id, login: account.login, isMachine: account.type === 'Bot' } : null;

function toRun(raw: GitHubRun): WorkflowRun {
  const startedBy = toContributor(raw.triggering_actor);
  return {
    id: raw.id,
    attempt: raw.run_attempt ?? 1,
    repoId: raw.repository.id,
    ownerId: raw.repository.owner?.id ?? 0,
    head: raw.head_sha,
    isOwn: raw.head_repository?.id === raw.repository.id,
    ref: raw.head_branch ?? '',
    event: raw.event,
    workflow: raw.path ?? '',
    title: raw.display_title ?? '',
    startedBy: startedBy && { ...startedBy, avatarUrl: raw.triggering_actor?.avatar_url ?? '' },
    firstStartedBy: toContributor(raw.actor),
    hasEnded: raw.status === 'completed',
    isCancelled: raw.conclusion === 'cancelled',
  };
}

const NOTHING_WAITS = /No pending deployment requests|already been reviewed/i;

/** The whole answer of a refusal with this status; null for any other error. */
function refusalOf(error: unknown, status: number): string | null {
  const refused = error as { status?: unknown; message?: unknown; response?: { data?: unknown } };
  if (refused?.status !== status) return null;
  return `${String(refused.message)} ${JSON.stringify(refused.response?.data ?? '')}`;
}

/** A success that was lost on the way is answered as "already reviewed", so a review may be sent again. */
const URGENT: RequestOptions = { priority: 'approval' };

/** The newest deployments that may be the last successful one; each costs a request. */
const MOST_DEPLOYMENTS = 5;

/** GitHub: "REST API endpoints for workflow runs". Reading needs `actions: read`, and reviews need `deployments: write`. */
export function createWorkflowRuns(app: GitHubApp, appId: number): WorkflowRuns {
  return {
    async get({ installation, owner, name: repo }, run_id) {
      const octokit = await app.asInstallation(installation);
      const found = await fromGitHub(octokit.rest.actions.getWorkflowRun({ owner, repo, run_id }), {
        404: null,
      });
      return found && toRun(found.data);
    },

    async pending({ installation, owner, name: repo }, run_id) {
      const octokit = await app.asInstallation(installation);
      const request = octokit.rest.actions.getPendingDeploymentsForRun({ owner, repo, run_id });
      const found = await fromGitHub(request, { 404: null });
      return found?.data.flatMap(({ environment }) => environment.name ?? []) ?? null;
    },

    async reviews({ installation, owner, name: repo }, run_id) {
      const octokit = await app.asInstallation(installation);
      const request = octokit.rest.actions.getReviewsForRun({ owner, repo, run_id });
      const found = await fromGitHub(request, { 404: null });
      const toReview = ({
        environments,
        state,
        user,
      }: NonNullable<typeof found>['data'][number]): RunReview => ({
        environments: environments.flatMap(({ name }) => name ?? []),
        state,
        by: toContributor(user),
      });
      return found?.data.map(toReview) ?? null;
    },

    async waiting({ installation, owner, name: repo }) {
      const octokit = await app.asInstallation(installation);
      const wanted = { owner, repo, status: 'waiting', per_page: FULL_PAGE } as const;
      const found = await fromGitHub(octokit.rest.actions.listWorkflowRunsForRepo(wanted), NOT_READABLE);
      return found?.data.workflow_runs.map(toRun) ?? null;
    },

    async isGated({ installation, owner, name: repo }, environment_name) {
      const { repos } = (await app.asInstallation(installation)).rest;
      const request = repos.getAllDeploymentProtectionRules({ owner, repo, environment_name });
      const found = await fromGitHub(request, NOT_READABLE);
      const rules = found?.data.custom_deployment_protection_rules ?? [];
      return rules.some(({ enabled, app: { id } }) => enabled && id === appId);
    },

    async hasReviewers({ installation, owner, name: repo }, environment_name) {
      const { repos } = (await app.asInstallation(installation)).rest;
      const found = await fromGitHub(repos.getEnvironment({ owner, repo, environment_name }), NOT_READABLE);
      return found?.data.protection_rules?.some(({ type }) => type === 'required_reviewers') ?? true;
    },

    async report({ installation, owner, name: repo }, { run: run_id, environment, comment }) {
      const octokit = await app.asInstallation(installation);
      const request = octokit.rest.actions.reviewCustomGatesForRun({
        owner,
        repo,
        run_id,
        environment_name: environment,
        comment,
      });
      const written = request.then(
        () => true,
        (error: unknown) => {
          if (refusalOf(error, 422) === null) throw error;
          return false;
        },
      );
      return fromGitHub(written);
    },

    async review({ installation, owner, name: repo }, { run: run_id, environment, comment, state }) {
      const octokit = await app.asInstallation(installation);
      const request = octokit.rest.actions.reviewCustomGatesForRun({
        owner,
        repo,
        run_id,
        environment_name: environment,
        state,
        comment,
        request: URGENT,
      });
      const written = request.then(
        () => 'written' as const,
        (cause: unknown) => {
          const refusal = refusalOf(cause, 422);
          if (refusal === null) throw cause;
          if (NOTHING_WAITS.test(refusal)) return 'done' as const;
          throw new AppError('githubUnavailable', { cause });
        },
      );
      return fromGitHub(written);
    },

    async lastDeployed({ installation, owner, name: repo }, environment) {
      const { repos } = (await app.asInstallation(installation)).rest;
      const wanted = { owner, repo, environment, per_page: MOST_DEPLOYMENTS };
      const found = await fromGitHub(repos.listDeployments(wanted), NOT_READABLE);
      for (const { id: deployment_id, sha } of found?.data ?? []) {
        const request = repos.listDeploymentStatuses({ owner, repo, deployment_id, per_page: FULL_PAGE });
        const statuses = await fromGitHub(request, NOT_READABLE);
        if (statuses?.data.some(({ state }) => state === 'success')) return sha;
      }
      return null;
    },

    async mergedPulls({ installation, owner, name: repo }, commit_sha) {
      const { repos } = (await app.asInstallation(installation)).rest;
      const wanted = { owner, repo, commit_sha, per_page: FULL_PAGE };
      const request = repos.listPullRequestsAssociatedWithCommit(wanted);
      const found = await fromGitHub(request, { ...NOT_READABLE, 422: null });
      return (
        found?.data.flatMap(({ number, merged_at: at }) => (at ? { number, mergedAt: new Date(at) } : [])) ??
        null
      );
    },
  };
}

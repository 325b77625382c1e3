import type { Review, WorkflowRun, WorkflowRuns } from '../../deployments/ports.ts';
import type { RepositoryRef } from '../../organizations/ports.ts';
import type { Contributor } from '../../policies/details.ts';
import { AppError } from '../../shared/app-error.ts';
import type { GitHubApp } from './app.ts';
import { fromGitHub, NOT_READABLE, NOT_VISIBLE } from './from-github.ts';
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

/** GitHub refused a review or a report: the whole answer, and the error that has it. */
type Refusal = { text: string; cause: unknown };

/** @throws The error itself if it's no refusal. */
function refusalIn(cause: unknown): Refusal {
  const { status, message, response } = cause as {
    status?: unknown;
    message?: unknown;
    response?: { data?: unknown };
  };
  if (status !== 422) throw cause;
  return { text: `${String(message)} ${JSON.stringify(response?.data ?? '')}`, cause };
}

/** A success that was lost on the way is answered as "already reviewed", so a review may be sent again. */
const URGENT: RequestOptions = { priority: 'approval' };

/** The newest deployments that may be the last successful one; each costs a request. */
const MOST_DEPLOYMENTS = 5;

/** GitHub: "REST API endpoints for workflow runs". Reading needs `actions: read`, and reviews need `deployments: write`. */
export function createWorkflowRuns(app: GitHubApp, appId: number): WorkflowRuns {
  const callsFor = async ({ installation, owner, name: repo }: RepositoryRef) => {
    const { actions, repos } = (await app.asInstallation(installation)).rest;
    return { actions, repos, at: { owner, repo } };
  };
  /** Null if GitHub took it. */
  const send = async (
    repo: RepositoryRef,
    { run: run_id, environment: environment_name, ...content }: Review & { state?: 'approved' | 'rejected' },
    options: { request?: RequestOptions } = {},
  ): Promise<Refusal | null> => {
    const { actions, at } = await callsFor(repo);
    const body = { ...at, run_id, environment_name, ...content, ...options };
    return fromGitHub(actions.reviewCustomGatesForRun(body).then(() => null, refusalIn));
  };

  return {
    async get(repo, run_id) {
      const { actions, at } = await callsFor(repo);
      const found = await fromGitHub(actions.getWorkflowRun({ ...at, run_id }), NOT_VISIBLE);
      return found && toRun(found.data);
    },

    async pending(repo, run_id) {
      const { actions, at } = await callsFor(repo);
      const found = await fromGitHub(actions.getPendingDeploymentsForRun({ ...at, run_id }), NOT_VISIBLE);
      return found?.data.flatMap(({ environment }) => environment.name ?? []) ?? null;
    },

    async reviews(repo, run_id) {
      const { actions, at } = await callsFor(repo);
      const found = await fromGitHub(actions.getReviewsForRun({ ...at, run_id }), NOT_VISIBLE);
      const reviews = found?.data.map(({ environments, state, user }) => ({
        environments: environments.flatMap(({ name }) => name ?? []),
        state,
        by: toContributor(user),
      }));
      return reviews ?? null;
    },

    async waiting(repo) {
      const { actions, at } = await callsFor(repo);
      const wanted = { ...at, status: 'waiting', per_page: FULL_PAGE } as const;
      const found = await fromGitHub(actions.listWorkflowRunsForRepo(wanted), NOT_READABLE);
      return found?.data.workflow_runs.map(toRun) ?? null;
    },

    async isGated(repo, environment_name) {
      const { repos, at } = await callsFor(repo);
      const request = repos.getAllDeploymentProtectionRules({ ...at, environment_name });
      const found = await fromGitHub(request, NOT_READABLE);
      const rules = found?.data.custom_deployment_protection_rules ?? [];
      return rules.some(({ enabled, app: { id } }) => enabled && id === appId);
    },

    async hasReviewers(repo, environment_name) {
      const { repos, at } = await callsFor(repo);
      const found = await fromGitHub(repos.getEnvironment({ ...at, environment_name }), NOT_READABLE);
      return found?.data.protection_rules?.some(({ type }) => type === 'required_reviewers') ?? true;
    },

    report: async (repo, report) => (await send(repo, report)) === null,

    async review(repo, review) {
      const refusal = await send(repo, review, { request: URGENT });
      if (refusal === null) return 'written';
      if (NOTHING_WAITS.test(refusal.text)) return 'done';
      throw new AppError('githubUnavailable', { cause: refusal.cause });
    },

    async lastDeployed(repo, environment) {
      const { repos, at } = await callsFor(repo);
      const wanted = { ...at, environment, per_page: MOST_DEPLOYMENTS };
      const found = await fromGitHub(repos.listDeployments(wanted), NOT_READABLE);
      for (const { id: deployment_id, sha } of found?.data ?? []) {
        const request = repos.listDeploymentStatuses({ ...at, deployment_id, per_page: FULL_PAGE });
        const statuses = await fromGitHub(request, NOT_READABLE);
        if (statuses?.data.some(({ state }) => state === 'success')) return sha;
      }
      return null;
    },

    async mergedPulls(repo, commit_sha) {
      const { repos, at } = await callsFor(repo);
      const request = repos.listPullRequestsAssociatedWithCommit({ ...at, commit_sha, per_page: FULL_PAGE });
      const found = await fromGitHub(request, { ...NOT_READABLE, 422: null });
      const merged = found?.data.flatMap(({ number, merged_at: mergedAt }) =>
        mergedAt ? { number, mergedAt: new Date(mergedAt) } : [],
      );
      return merged ?? null;
    },
  };
}

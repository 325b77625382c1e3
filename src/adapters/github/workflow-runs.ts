import type { WorkflowRun, WorkflowRuns } from '../../deployments/ports.ts';
import type { RepositoryRef } from '../../organizations/ports.ts';
import type { Contributor } from '../../policies/details.ts';
import { AppError } from '../../shared/app-error.ts';
import type { GitHubApp } from './app.ts';
import { read } from './conditional-reads.ts';
import { readIsGated } from './environments.ts';
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
  updated_at: string;
  run_started_at?: string;
  actor?: Account;
  triggering_actor?: Account;
  repository: { id: number; name: string; owner: { id: number; login: string } };
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
    repo: { owner: raw.repository.owner.login, name: raw.repository.name },
    ownerId: raw.repository.owner.id,
    head: raw.head_sha,
    isOwn: raw.head_repository?.id === raw.repository.id,
    ref: raw.head_branch ?? '',
    event: raw.event,
    workflow: raw.path ?? '',
    title: raw.display_title ?? '',
    startedBy: startedBy && { ...startedBy, avatarUrl: raw.triggering_actor?.avatar_url ?? '' },
    firstStartedBy: toContributor(raw.actor),
    startedAt: new Date(raw.run_started_at ?? 0),
    hasEnded: raw.status === 'completed',
    isCancelled: raw.conclusion === 'cancelled',
    updatedAt: new Date(raw.updated_at),
  };
}

const REVIEWED = /already been reviewed/i;
const GONE = /No pending deployment requests/i;

/** The whole answer with which GitHub refused a review or a report. @throws The error itself if it's no refusal. */
function refusalIn(cause: unknown): string {
  const { status, message, response } = cause as {
    status?: unknown;
    message?: unknown;
    response?: { data?: unknown };
  };
  if (status !== 422) throw cause;
  return `${String(message)} ${JSON.stringify(response?.data ?? '')}`;
}

/**
 * A review names no attempt, so it isn't sent again after a failure: the run can have been started again since. The next try
 * reads the run first. After a success that was lost on the way, its jobs wait no more, or are answered as "already reviewed".
 */
const REVIEW: RequestOptions = { priority: 'approval', retries: 0 };

/** Only the newest deployments are looked at; each costs a request. */
const MOST_DEPLOYMENTS = 5;
/** A deployment has one of these once its job passed every rule. */
const STARTED = ['queued', 'in_progress', 'success'];

type Status = { state: string; log_url?: string };

/** GitHub: "REST API endpoints for workflow runs". Reading needs `actions: read`, and reviews need `deployments: write`. */
export function createWorkflowRuns(app: GitHubApp, appId: number): WorkflowRuns {
  const callsFor = async ({ installation, owner, name: repo }: RepositoryRef) => {
    const { actions, repos } = (await app.asInstallation(installation)).rest;
    return { actions, repos, at: { owner, repo } };
  };
  /** The commit of the newest deployment with such a status; null if none of the newest has one. */
  const findDeployed = async (
    repo: RepositoryRef,
    wanted: { environment: string; sha?: string },
    isWanted: (status: Status) => boolean,
    since = new Date(0),
  ): Promise<string | null> => {
    const { repos, at } = await callsFor(repo);
    const newest = repos.listDeployments({ ...at, ...wanted, per_page: MOST_DEPLOYMENTS });
    const listed = await fromGitHub(newest, NOT_READABLE);
    for (const { id: deployment_id, sha, created_at } of listed?.data ?? []) {
      if (new Date(created_at) < since) continue;
      const request = repos.listDeploymentStatuses({ ...at, deployment_id, per_page: FULL_PAGE });
      const statuses = await fromGitHub(request, NOT_READABLE);
      if (statuses?.data.some(isWanted)) return sha;
    }
    return null;
  };

  return {
    async get(repo, run_id) {
      const { actions, at } = await callsFor(repo);
      return fromGitHub(read(actions.getWorkflowRun, { ...at, run_id }, toRun), NOT_VISIBLE);
    },

    async pending(repo, run_id) {
      const { actions, at } = await callsFor(repo);
      const request = read(actions.getPendingDeploymentsForRun, { ...at, run_id }, (all) =>
        all.flatMap(({ environment }) => environment.name ?? []),
      );
      return fromGitHub(request, NOT_VISIBLE);
    },

    async reviews(repo, run_id) {
      const { actions, at } = await callsFor(repo);
      const request = read(actions.getReviewsForRun, { ...at, run_id }, (all) =>
        all.map(({ environments, user, state, comment }) => ({
          ...{ state, comment },
          environments: environments.flatMap(({ name }) => name ?? []),
          by: toContributor(user),
        })),
      );
      return fromGitHub(request, NOT_VISIBLE);
    },

    async waiting(repo) {
      const { actions, at } = await callsFor(repo);
      const wanted = { ...at, status: 'waiting', per_page: FULL_PAGE } as const;
      const request = read(actions.listWorkflowRunsForRepo, wanted, (all) => all.workflow_runs.map(toRun));
      return fromGitHub(request, NOT_READABLE);
    },

    async isGated(repo, environment_name) {
      const { repos, at } = await callsFor(repo);
      return (await readIsGated(repos, { ...at, environment_name }, appId)) ?? false;
    },

    async hasReviewers(repo, environment_name) {
      const { repos, at } = await callsFor(repo);
      const found = await fromGitHub(repos.getEnvironment({ ...at, environment_name }), NOT_READABLE);
      return found?.data.protection_rules?.some(({ type }) => type === 'required_reviewers') ?? true;
    },

    async hasStarted(repo, { id, head: sha, startedAt }, environment) {
      const isOfRun = (url = '') => url.includes(`/actions/runs/${id}/`);
      const begins = ({ state, log_url }: Status) => STARTED.includes(state) && isOfRun(log_url);
      return (await findDeployed(repo, { environment, sha }, begins, startedAt)) !== null;
    },

    async review(repo, { run: run_id, environment: environment_name, ...review }) {
      const { actions, at } = await callsFor(repo);
      const body = { ...at, run_id, environment_name, ...review, ...(review.state && { request: REVIEW }) };
      const written = actions.reviewCustomGatesForRun(body).then(
        () => 'written' as const,
        (cause: unknown) => {
          const refusal = refusalIn(cause);
          if (REVIEWED.test(refusal)) return 'reviewed' as const;
          if (GONE.test(refusal)) return 'gone' as const;
          if (review.state) throw new AppError('githubUnavailable', { cause });
          return 'refused' as const;
        },
      );
      return fromGitHub(written);
    },

    lastDeployed: (repo, environment) =>
      findDeployed(repo, { environment }, ({ state }) => state === 'success'),
  };
}

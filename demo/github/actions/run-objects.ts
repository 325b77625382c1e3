import { ACTIONS } from '../credentials.ts';
import type { EmulatorClient } from '../emulator-client.ts';
import type { Repository } from '../github-objects.ts';
import { readSimpleCommit } from '../simple-commit.ts';
import type { Environment } from './environments.ts';
import { type Attempt, type Deployment, type Job, latestOf, type Run, statusOf } from './run-state.ts';

/** `origin` stands for the API's root, too: `completeAnswers` and the webhooks write the other addresses. */
type Deps = { emulator: EmulatorClient; origin: string };

const repoUrl = ({ origin }: Pick<Deps, 'origin'>, repo: Repository) => `${origin}/repos/${repo.full_name}`;

/** A run as "Get a workflow run" shows it; with an attempt, as "Get a workflow run attempt". */
export async function runObject(deps: Deps, repo: Repository, run: Run, attempt: Attempt = latestOf(run)) {
  const { emulator, origin } = deps;
  const url = `${repoUrl(deps, repo)}/actions/runs/${run.id}`;
  const isHere = run.headRepo === run.repo;
  const headRepo = isHere ? repo : await emulator.get<Repository>(`/repositories/${run.headRepo}`);
  const head = headRepo ?? repo;
  const previous = attempt.number === 1 ? null : `${url}/attempts/${attempt.number - 1}`;
  return {
    id: run.id,
    name: run.workflow.name,
    node_id: `WFR_${run.id}`,
    head_branch: run.branch,
    head_sha: run.sha,
    path: run.workflow.path,
    display_title: run.title,
    run_number: run.number,
    event: run.event,
    ...statusOf(attempt),
    workflow_id: run.workflow.id,
    check_suite_id: run.id,
    check_suite_node_id: `CS_${run.id}`,
    url,
    html_url: `${origin}/${repo.full_name}/actions/runs/${run.id}`,
    // Only a run of a pull request within the repository has some, and no such run is started here.
    pull_requests: [],
    created_at: run.created_at,
    updated_at: run.updated_at,
    actor: run.actor,
    run_attempt: attempt.number,
    referenced_workflows: [],
    run_started_at: attempt.started_at,
    triggering_actor: attempt.actor,
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${repoUrl(deps, repo)}/check-suites/${run.id}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: previous,
    workflow_url: `${repoUrl(deps, repo)}/actions/workflows/${run.workflow.id}`,
    head_commit: (await readSimpleCommit(emulator, head.full_name, run.sha)) ?? null,
    repository: repo,
    head_repository: head,
  };
}

/** A job as "List jobs for a workflow run" shows it. */
export function jobObject(
  deps: Deps,
  repo: Repository,
  run: Run,
  { attempt, job }: { attempt: Attempt; job: Job },
) {
  const run_url = `${repoUrl(deps, repo)}/actions/runs/${run.id}`;
  const hasRun = job.status === 'completed' && job.conclusion === 'success';
  return {
    id: job.id,
    run_id: run.id,
    workflow_name: run.workflow.name,
    head_branch: run.branch,
    run_url,
    run_attempt: attempt.number,
    node_id: `CR_${job.id}`,
    head_sha: run.sha,
    url: `${repoUrl(deps, repo)}/actions/jobs/${job.id}`,
    html_url: `${deps.origin}/${repo.full_name}/actions/runs/${run.id}/job/${job.id}`,
    status: job.status,
    conclusion: job.conclusion,
    created_at: job.created_at,
    started_at: job.started_at,
    completed_at: job.completed_at,
    name: job.plan.name,
    steps: [],
    check_run_url: `${repoUrl(deps, repo)}/check-runs/${job.id}`,
    labels: ['ubuntu-latest'],
    runner_id: hasRun ? 1 : null,
    runner_name: hasRun ? ACTIONS.name : null,
    runner_group_id: hasRun ? 1 : null,
    runner_group_name: hasRun ? ACTIONS.name : null,
  };
}

/** An environment, in the brief form of reviews and pending deployments. */
export function environmentBrief(deps: Pick<Deps, 'origin'>, repo: Repository, environment: Environment) {
  const name = encodeURIComponent(environment.name);
  return {
    id: environment.id,
    node_id: `EN_${environment.id}`,
    name: environment.name,
    url: `${repoUrl(deps, repo)}/environments/${name}`,
    html_url: `${deps.origin}/${repo.full_name}/deployments/activity_log?environments_filter=${name}`,
  };
}

/** A deployment of a run as "Get a deployment" shows it. */
export function deploymentObject(
  deps: Pick<Deps, 'origin'>,
  repo: Repository,
  { run, deployment }: { run: Run; deployment: Deployment },
) {
  const url = `${repoUrl(deps, repo)}/deployments/${deployment.id}`;
  const updated = deployment.statuses.at(-1)?.created_at ?? deployment.created_at;
  return {
    url,
    id: deployment.id,
    node_id: `DE_${deployment.id}`,
    sha: run.sha,
    ref: run.branch,
    task: 'deploy',
    payload: {},
    original_environment: deployment.environment,
    environment: deployment.environment,
    description: null,
    creator: run.actor,
    created_at: deployment.created_at,
    updated_at: updated,
    statuses_url: `${url}/statuses`,
    repository_url: repoUrl(deps, repo),
    transient_environment: false,
    production_environment: deployment.environment.toLowerCase() === 'production',
  };
}

/** The statuses of a deployment, newest first. */
export function statusObjects(
  deps: Pick<Deps, 'origin'>,
  repo: Repository,
  { run, job, deployment }: { run: Run; job: Job; deployment: Deployment },
) {
  const deployment_url = `${repoUrl(deps, repo)}/deployments/${deployment.id}`;
  const log_url = `${deps.origin}/${repo.full_name}/actions/runs/${run.id}/job/${job.id}`;
  return deployment.statuses.toReversed().map(({ id, state, created_at }) => ({
    url: `${deployment_url}/statuses/${id}`,
    id,
    node_id: `DES_${id}`,
    state,
    creator: run.actor,
    description: '',
    environment: deployment.environment,
    target_url: log_url,
    created_at,
    updated_at: created_at,
    deployment_url,
    repository_url: repoUrl(deps, repo),
    log_url,
  }));
}

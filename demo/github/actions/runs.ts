import type { Account, Repository } from '../github-objects.ts';
import type { Environments } from './environments.ts';
import {
  type Attempt,
  type Gate,
  type Job,
  latestOf,
  type Review,
  type Run,
  waitingJobs,
} from './run-state.ts';
import type { JobPlan, Workflow } from './workflow-file.ts';

export type Runs = ReturnType<typeof createRuns>;

type Start = {
  repo: Repository;
  headRepo: Repository;
  path: string;
  workflow: Workflow;
  event: string;
  branch: string;
  sha: string;
  title: string;
  actor: Account;
};

/** A job of a run that now waits for an App. */
export type Waiting = { repo: Repository; run: Run; job: Job; gate: Gate };

const now = () => new Date().toISOString();

/**
 * Workflow runs. A job takes no time: it succeeds as soon as the jobs that it needs have succeeded and every rule of its
 * environment has passed. `announce` is called for each rule of each job that begins to wait, all jobs of a wave first.
 *
 * @param mostLag How far back the past is kept, in milliseconds.
 */
export function createRuns(
  environments: Environments,
  announce: (waiting: Waiting) => void,
  mostLag: () => number,
) {
  const runs: Run[] = [];
  const workflowIDs = new Map<string, number>();
  // GitHub's ids don't fit into 32 bits.
  let nextID = 23_600_000_001;

  const idOf = (repo: Repository, path: string): number => {
    const key = `${repo.id}:${path}`;
    const id = workflowIDs.get(key) ?? nextID++;
    workflowIDs.set(key, id);
    return id;
  };

  const ofRepo = (repo: Repository, among = runs) => among.filter((run) => run.repo === repo.id);

  /** What the runs were until some moment, oldest first. */
  const past: { until: number; runs: Run[] }[] = [];
  const remember = () => {
    if (mostLag() === 0) return;
    past.push({ until: Date.now(), runs: structuredClone(runs) });
    while (past[1] && past[1].until < Date.now() - mostLag()) past.shift();
  };
  /** The runs as they were this many milliseconds ago. */
  const before = (ms: number) => past.find(({ until }) => until > Date.now() - ms)?.runs ?? runs;

  /** The deployments of a repository, newest first, each with its run and job. */
  const deployments = (repo: Repository) =>
    ofRepo(repo)
      .flatMap((run) => run.attempts.flatMap(({ jobs }) => jobs.map((job) => ({ run, job }))))
      .flatMap(({ run, job }) => (job.deployment ? [{ run, job, deployment: job.deployment }] : []))
      .sort((one, other) => other.deployment.id - one.deployment.id);

  const addStatus = (job: Job, state: 'in_progress' | 'success' | 'failure') =>
    job.deployment?.statuses.push({ id: nextID++, state, created_at: now() });

  /** GitHub: "Create a deployment status", `auto_inactive`: not those to production. */
  const retireOthers = (repo: Repository, { deployment }: Job) => {
    if (!deployment || deployment.environment.toLowerCase() === 'production') return;
    for (const { deployment: other } of deployments(repo)) {
      const isSame = other.environment.toLowerCase() === deployment.environment.toLowerCase();
      if (other.id === deployment.id || !isSame || other.statuses.at(-1)?.state !== 'success') continue;
      other.statuses.push({ id: nextID++, state: 'inactive', created_at: now() });
    }
  };

  const complete = (repo: Repository, job: Job, conclusion: NonNullable<Job['conclusion']>) => {
    Object.assign(job, { status: 'completed', conclusion, completed_at: now() });
    if (conclusion === 'skipped') return;
    addStatus(job, conclusion === 'success' ? 'success' : 'failure');
    if (conclusion === 'success') retireOthers(repo, job);
  };

  const execute = (repo: Repository, job: Job) => {
    job.started_at = now();
    addStatus(job, 'in_progress');
    complete(repo, job, 'success');
  };

  /** Begins the job, which waits if its environment has rules. */
  const begin = (repo: Repository, job: Job) => {
    const { environment: name, hasDeployment } = job.plan;
    const kinds = name === null ? [] : environments.gatesFor(repo, name);
    if (name !== null) environments.findOrCreate(repo, name);
    // GitHub: "Custom deployment protection rules require a deployment object to function": the job fails immediately.
    if (kinds.some((kind) => typeof kind === 'number') && !hasDeployment) {
      job.annotation = "The environment's protection rules are incompatible with deployment: false.";
      complete(repo, job, 'failure');
      return;
    }
    if (name !== null && hasDeployment) {
      job.deployment = { id: nextID++, environment: name, created_at: now(), statuses: [] };
    }
    job.gates = kinds.map((kind) => ({ id: nextID++, kind, state: 'pending', reports: 0 }));
    if (kinds.length === 0) execute(repo, job);
    else job.status = 'waiting';
  };

  /** Begins the jobs that can begin, in waves, until none can. */
  const advance = (repo: Repository, run: Run) => {
    const { jobs } = latestOf(run);
    const needed = (job: Job) => jobs.filter(({ plan }) => job.plan.needs.includes(plan.key));
    for (;;) {
      const queued = jobs.filter(({ status }) => status === 'queued');
      const ready = queued.filter((job) => needed(job).every(({ conclusion }) => conclusion === 'success'));
      const doomed = queued.filter((job) =>
        needed(job).some(({ conclusion }) => conclusion !== null && conclusion !== 'success'),
      );
      if (ready.length + doomed.length === 0) break;
      for (const job of doomed) complete(repo, job, 'skipped');
      for (const job of ready) begin(repo, job);
      for (const job of ready) for (const gate of job.gates) announce({ repo, run, job, gate });
    }
    run.updated_at = now();
  };

  const newJob = (plan: JobPlan): Job => {
    const at = now();
    const times = { created_at: at, started_at: at, completed_at: null };
    const none = { conclusion: null, gates: [], deployment: null, annotation: null };
    return { id: nextID++, plan, status: 'queued', ...none, ...times };
  };

  const remembering =
    <Parameters extends unknown[], T>(change: (...parameters: Parameters) => T) =>
    (...parameters: Parameters): T => {
      remember();
      return change(...parameters);
    };

  const addAttempt = (repo: Repository, run: Run, { actor, jobs }: { actor: Account; jobs: Job[] }) => {
    const attempt: Attempt = { number: run.attempts.length + 1, started_at: now(), actor, jobs };
    run.attempts.push(attempt);
    advance(repo, run);
  };

  const completeWaiting = (repo: Repository, run: Run, jobs: Job[], conclusion: 'failure' | 'cancelled') => {
    for (const job of jobs) complete(repo, job, conclusion);
    advance(repo, run);
  };

  /** Answers these gates, and starts or fails their jobs. */
  const answer = (repo: Repository, run: Run, gates: readonly Gate[], state: 'approved' | 'rejected') => {
    for (const gate of gates) gate.state = state;
    for (const job of waitingJobs(run)) {
      if (job.gates.some((gate) => gate.state === 'rejected')) complete(repo, job, 'failure');
      else if (job.gates.every((gate) => gate.state === 'approved')) execute(repo, job);
    }
    advance(repo, run);
  };

  return {
    idOf,
    deployments,
    /** Newest first, as they were this many milliseconds ago. */
    all: (repo: Repository, lagMs = 0) => ofRepo(repo, before(lagMs)).toReversed(),
    find: (repo: Repository, id: number, lagMs = 0) =>
      ofRepo(repo, before(lagMs)).find((run) => run.id === id),
    start: remembering(({ repo, headRepo, path, workflow, ...rest }: Start): Run => {
      const id = nextID++;
      const run: Run = {
        ...rest,
        id,
        number: ofRepo(repo).filter((one) => one.workflow.path === path).length + 1,
        repo: repo.id,
        headRepo: headRepo.id,
        workflow: { id: idOf(repo, path), name: workflow.name, path },
        plans: workflow.jobs,
        created_at: now(),
        updated_at: now(),
        attempts: [],
        reviews: [],
      };
      runs.push(run);
      addAttempt(repo, run, { actor: run.actor, jobs: run.plans.map(newJob) });
      return run;
    }),
    /** Adds an attempt with all jobs, or with those that didn't succeed next to the results of the others. */
    rerun: remembering((repo: Repository, run: Run, again: { actor: Account; onlyFailed: boolean }) => {
      const { actor, onlyFailed } = again;
      const { jobs } = latestOf(run);
      const isKept = ({ conclusion }: Job) => onlyFailed && conclusion === 'success';
      // A kept result isn't another deployment.
      const next = jobs.map((job) =>
        isKept(job) ? { ...job, id: nextID++, deployment: null } : newJob(job.plan),
      );
      addAttempt(repo, run, { actor, jobs: next });
    }),
    /** Cancels the present attempt, whose jobs all wait or are queued. */
    cancel: remembering((repo: Repository, run: Run) => {
      const open = latestOf(run).jobs.filter(({ status }) => status !== 'completed');
      completeWaiting(repo, run, open, 'cancelled');
    }),
    /** What GitHub does after 30 days. */
    expire: remembering((repo: Repository, run: Run) =>
      completeWaiting(repo, run, waitingJobs(run), 'failure'),
    ),
    /** Records a review of these gates by an App or a person, and starts or fails their jobs. */
    review: remembering((repo: Repository, run: Run, gates: readonly Gate[], review: Review) => {
      run.reviews.push(review);
      if (review.state === 'pending') for (const gate of gates) gate.reports += 1;
      else answer(repo, run, gates, review.state);
    }),
    /** What GitHub does when the timers of the jobs that wait are over. */
    passTimers: remembering((repo: Repository, run: Run) => {
      const timers = waitingJobs(run).flatMap(({ gates }) => gates.filter(({ kind }) => kind === 'timer'));
      answer(repo, run, timers, 'approved');
    }),
    /** Starts jobs around their rules, as an administrator may. */
    bypass: remembering((repo: Repository, run: Run, jobs: readonly Job[], review: Review) => {
      run.reviews.push(review);
      for (const job of jobs) execute(repo, job);
      advance(repo, run);
    }),
  };
}

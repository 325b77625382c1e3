import type { Account } from '../github-objects.ts';
import type { JobPlan } from './workflow-file.ts';

/** The App whose rule it is, or one of GitHub's own rules. */
export type GateKind = number | 'reviewers' | 'timer';

/** One rule that a job waits for. */
export type Gate = {
  id: number;
  kind: GateKind;
  state: 'pending' | 'approved' | 'rejected';
  reports: number;
};

/** `inactive` is what an older success becomes when a newer one of the environment succeeds. */
export type DeploymentStatus = {
  id: number;
  state: 'in_progress' | 'success' | 'failure' | 'inactive';
  created_at: string;
};

/** The statuses are oldest first. While the job waits, there is none. */
export type Deployment = {
  id: number;
  environment: string;
  created_at: string;
  statuses: DeploymentStatus[];
};

export type Job = {
  id: number;
  plan: JobPlan;
  status: 'queued' | 'waiting' | 'completed';
  conclusion: 'success' | 'failure' | 'cancelled' | 'skipped' | null;
  created_at: string;
  started_at: string;
  completed_at: string | null;
  gates: Gate[];
  deployment: Deployment | null;
  /** Why the job failed, if a person could not know. */
  annotation: string | null;
};

export type Attempt = { number: number; started_at: string; actor: Account; jobs: Job[] };

/** A review, or a status report, which is `pending`. */
export type Review = {
  state: 'approved' | 'rejected' | 'pending';
  comment: string;
  user: Account;
  environments: string[];
};

export type Run = {
  id: number;
  number: number;
  /** The ids of the repository and of the one that has the head. */
  repo: number;
  headRepo: number;
  workflow: { id: number; name: string; path: string };
  plans: JobPlan[];
  event: string;
  branch: string;
  sha: string;
  title: string;
  actor: Account;
  created_at: string;
  updated_at: string;
  attempts: Attempt[];
  /** Oldest first, of all attempts. */
  reviews: Review[];
};

export function latestOf({ attempts }: Run): Attempt {
  const latest = attempts.at(-1);
  if (!latest) throw new Error('A run has at least one attempt.');
  return latest;
}

/** The status and conclusion of an attempt, from its jobs. */
export function statusOf({ jobs }: Attempt): { status: string; conclusion: string | null } {
  if (jobs.some((job) => job.status === 'waiting')) return { status: 'waiting', conclusion: null };
  if (jobs.some((job) => job.status === 'queued')) return { status: 'queued', conclusion: null };
  const worst = (['cancelled', 'failure'] as const).find((one) => jobs.some((job) => job.conclusion === one));
  return { status: 'completed', conclusion: worst ?? 'success' };
}

/** The jobs of the present attempt that wait at this environment, or at any. */
export const waitingJobs = (run: Run, environment?: string): Job[] =>
  latestOf(run).jobs.filter(
    ({ status, plan }) =>
      status === 'waiting' &&
      (environment === undefined || plan.environment?.toLowerCase() === environment.toLowerCase()),
  );

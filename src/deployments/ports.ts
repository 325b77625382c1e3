import type { DeploymentKey, OpenPull } from '../approvals/ports.ts';
import type { DeploymentState } from '../contract/deployments.ts';
import type { RepositoryRef } from '../organizations/ports.ts';
import type { Contributor } from '../policies/details.ts';

/** A workflow run, as GitHub shows its present attempt. */
export type WorkflowRun = {
  id: number;
  attempt: number;
  repoId: number;
  /** The repository's names now: GitHub answers for former ones, too. */
  repo: { owner: string; name: string };
  /** The account that owns the repository. */
  ownerId: number;
  /** The commit, full length. */
  head: string;
  /** False if the commit is a fork's, or of a repository that no longer exists. */
  isOwn: boolean;
  /** The branch or tag that it's for. */
  ref: string;
  /** The event that started it. */
  event: string;
  /** The path of the workflow's file. */
  workflow: string;
  title: string;
  /** The account that started this attempt; null if it no longer exists. */
  startedBy: (Contributor & { avatarUrl: string }) | null;
  /** The account that started the first attempt. */
  firstStartedBy: Contributor | null;
  /** The start of this attempt. */
  startedAt: Date;
  hasEnded: boolean;
  isCancelled: boolean;
  /** The time of its newest change. */
  updatedAt: Date;
};

/** What GitHub lists of reviews of a run, without their times: those of people and of Apps, in all its attempts. */
export type RunReview = {
  environments: string[];
  state: string;
  comment: string;
  by: Contributor | null;
};

/** A review of one environment of a run; a report if it has no state. The text is Markdown. */
export type Review = {
  run: number;
  environment: string;
  comment: string;
  state?: 'approved' | 'rejected';
};

export type WorkflowRuns = {
  /** Null if the installation can't see such a run. */
  get(repo: RepositoryRef, run: number): Promise<WorkflowRun | null>;
  /** The names of the environments at which jobs of the run wait; null if the installation can't see the run. */
  pending(repo: RepositoryRef, run: number): Promise<string[] | null>;
  /** Null if the installation can't see the run. */
  reviews(repo: RepositoryRef, run: number): Promise<RunReview[] | null>;
  /** At most 100 runs of which a job waits, newest first; null if the installation can't see the repository. */
  waiting(repo: RepositoryRef): Promise<WorkflowRun[] | null>;
  /** Tells whether the environment has this App's rule; false if GitHub doesn't say. */
  isGated(repo: RepositoryRef, environment: string): Promise<boolean>;
  /** Tells whether GitHub itself asks people to review the environment; true if it doesn't say. */
  hasReviewers(repo: RepositoryRef, environment: string): Promise<boolean>;
  /** Tells whether a job of the run's attempt began to deploy to the environment; false if GitHub doesn't say. */
  hasStarted(repo: RepositoryRef, run: WorkflowRun, environment: string): Promise<boolean>;
  /**
   * Approves or rejects all jobs that wait for this App at the environment, which GitHub doesn't take back, or only reports
   * why they wait. `reviewed` if this App reviewed them already, `gone` if none waits for it, as when the rule was taken
   * off; `refused` if GitHub takes no report.
   *
   * @throws AppError `githubUnavailable` also if GitHub couldn't answer one of the jobs.
   */
  review(repo: RepositoryRef, review: Review): Promise<'written' | 'reviewed' | 'gone' | 'refused'>;
  /** The commit of the last successful deployment to the environment; null if there is none among the newest. */
  lastDeployed(repo: RepositoryRef, environment: string): Promise<string | null>;
};

/** A request of GitHub to let the jobs of a run deploy. */
export type NewDeployment = DeploymentKey & {
  /** The account that owns the repository. */
  orgId: number;
  repo: RepositoryRef;
  /** The commit that GitHub named when it asked. */
  head: string;
  ref: string;
  event: string;
  workflow: string;
};

export type Deployment = NewDeployment &
  // What it lacks decides only for whom lists say that it waits.
  Pick<OpenPull, 'lacks' | 'denied'> & {
    id: string;
    /** The state is for lists and for what is left to do: a review always follows from the decisions in force. */
    state: DeploymentState;
    /** The time from which it waits: of GitHub's first request, or of a later wave that no approval let start. */
    since: Date;
    /** The time of the newest reason to look at it, and that of the reading from which GitHub was last updated. */
    due: Date;
    synced: Date;
    /** The time of the last change of what it lacks. */
    changed: Date;
    /** The text that GitHub shows, or of a review that it may have taken, and the number of reports. */
    shown: string;
    reports: number;
    /** True if the owners know that it waits for long. */
    isReminded: boolean;
  };

export type Deployments = {
  /** Stores a request, or marks a known one as due. */
  request(deployment: NewDeployment): Promise<void>;
  /** Null if there is none, or if OTP Guard didn't write its record. */
  find(key: DeploymentKey): Promise<Deployment | null>;
  /** All that are due and not synced since, oldest first. */
  due(): Promise<Deployment[]>;
  /** The deployments that wait, of all accounts or of one, oldest first. */
  waiting(orgId?: number): Promise<Deployment[]>;
  /** The repositories with a request after this time, each once. */
  repositories(since: Date): Promise<{ repo: RepositoryRef; repoId: number; orgId: number }[]>;
  save(
    deployment: Deployment,
    changed: Partial<Omit<Deployment, keyof NewDeployment | 'id' | 'due'>>,
  ): Promise<void>;
};

/** GitHub compares environments without their case, and a workflow can spell one in several ways. */
export const isSameEnvironment = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

/** Names a deployment, in any capitals of its environment. */
export const nameOf = ({ repoId, run, attempt, environment }: DeploymentKey): string =>
  `${repoId}:${run}:${attempt}:${environment.toLowerCase()}`;

/** GitHub lets a job fail that waits for this long. */
export const EXPIRE_MS = 30 * 24 * 60 * 60_000;

/** GitHub's lists of what waits and of reviews can be this much older than its request, and than what it shows of the run. */
export const LAG_MS = 30_000;

import type {
  CommitPulls,
  Decision,
  DeploymentKey,
  NewGiven,
  PullRequest,
} from '../../../src/approvals/ports.ts';
import type { Effects } from '../../../src/audit/ports.ts';
import type { DeployStatement, RejectStatement } from '../../../src/contract/statement.ts';
import {
  type Deployment,
  type Deployments,
  type NewDeployment,
  nameOf,
  type Review,
  type RunReview,
  type WorkflowRun,
  type WorkflowRuns,
} from '../../../src/deployments/ports.ts';
import type { RepositoryRef } from '../../../src/organizations/ports.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { anApproval, HEAD, REPO } from './examples.ts';
import { copyOf } from './rows.ts';
import { Fake, recordId, START, TimedFake } from './stage.ts';

const isOf = (one: DeploymentKey, key: DeploymentKey) => nameOf(one) === nameOf(key);

/** Octocat started a release of `HEAD` on main, which waits at `release`, with what the test changes. */
export const aRun = (change: Partial<WorkflowRun> = {}): WorkflowRun => ({
  id: 77,
  attempt: 1,
  repoId: 42,
  repo: { owner: 'octo-org', name: 'hello' },
  ownerId: 9,
  head: HEAD,
  isOwn: true,
  ref: 'main',
  event: 'workflow_dispatch',
  workflow: '.github/workflows/release.yml',
  title: 'Release',
  startedBy: { id: 3, login: 'octocat', isMachine: false, avatarUrl: '' },
  firstStartedBy: { id: 3, login: 'octocat', isMachine: false },
  startedAt: new Date(START),
  hasEnded: false,
  isCancelled: false,
  updatedAt: new Date(START),
  ...change,
});

/** Mona's approval of `aRun()`, with what the test changes. */
export const aDecision = (change: Partial<Decision> = {}): Decision => {
  const { run: _, reason: __, ...given } = anApproval({ githubId: 11 });
  const { id: run, attempt, event, workflow } = aRun();
  const about = { run, attempt, environment: 'release', event, workflow };
  return { ...given, pr: 0, ...about, decision: 'approve', reason: '', ...change };
};

/** The stored request for `aRun()` to deploy to `release`, which lacks one approval of a member, with what the test changes. */
export const aDeployment = (change: Partial<Deployment> = {}): Deployment => {
  const { id: run, attempt, repoId, ownerId: orgId, head, ref, event, workflow } = aRun();
  const since = change.since ?? new Date('2026-05-04T11:00:00Z');
  const missing = 'Needs 1 approval from any member.';
  return {
    ...{ id: recordId(), run, attempt, environment: 'release', repoId, orgId, head, ref, event, workflow },
    ...{ repo: REPO, state: 'waiting', due: since, synced: since, changed: since },
    ...{ shown: '', reports: 0, isReminded: false, denied: null },
    lacks: [{ rule: '', missing, lacking: 1, counted: [], excluded: [] }],
    ...{ ...change, since },
  };
};

/** The decisions in `FakeApprovals`. */
export class FakeDecisions extends TimedFake {
  readonly stored: Decision[] = [];
  readonly effects: Effects[] = [];
  add(
    { repo, org, user, ...given }: NewGiven,
    statement: DeployStatement | RejectStatement,
    effects: Effects,
  ) {
    const { run, attempt, environment, ref: base, event, workflow, head } = statement;
    const decision = statement.purpose === 'deploy' ? 'approve' : 'reject';
    const { method, userVerified, aaguid, modelVerified, fromOutside, reason = '' } = given;
    this.effects.push(effects);
    return this.put({
      ...{ run, attempt, environment, base, event, workflow, decision, head, reason },
      ...{ method, userVerified, aaguid, modelVerified, fromOutside },
      ...{ repoId: repo.id, orgId: org.id, githubId: user.id, login: user.login },
    });
  }
  /** A decision as if it had been stored now. */
  put(change: Partial<Decision> = {}) {
    const id = recordId();
    this.stored.push(aDecision({ id, at: this.clock.now(), ...change }));
    return id;
  }
  of(key: DeploymentKey) {
    return this.stored.filter((one) => isOf(one, key) && one.environment === key.environment);
  }
}

export class FakeDeployments extends TimedFake implements Deployments {
  readonly stored: Deployment[] = [];
  async request(deployment: NewDeployment) {
    const due = this.clock.now();
    const known = this.stored.find((one) => isOf(one, deployment));
    if (known) known.due = due;
    else
      this.stored.push({
        ...deployment,
        ...{ id: recordId(), state: 'waiting', since: due, due, synced: new Date(0) },
        ...{ shown: '', reports: 0, isReminded: false, lacks: [], denied: null, changed: new Date(0) },
      });
  }
  async find(key: DeploymentKey) {
    return copyOf(this.stored, (one) => isOf(one, key));
  }
  async due() {
    return this.stored.filter(({ due, synced }) => due > synced).map((one) => ({ ...one }));
  }
  async waiting(orgId?: number) {
    return this.stored.filter((one) => one.state === 'waiting' && (orgId ?? one.orgId) === one.orgId);
  }
  async repositories(since: Date) {
    return this.stored.filter((one) => one.since > since);
  }
  async save({ id }: Deployment, changed: Partial<Deployment>) {
    const stored = this.stored.find((one) => one.id === id);
    if (stored) Object.assign(stored, changed);
  }
}

/** GitHub's list of the pull requests with any commit. */
export class FakeCommitPulls extends Fake implements CommitPulls {
  all: PullRequest[] | null = [];
  async ofCommit() {
    return this.all;
  }
}

/** GitHub Actions with the runs that a test puts there. */
export class FakeWorkflowRuns extends Fake implements WorkflowRuns {
  readonly runs: WorkflowRun[] = [];
  /** The environments at which a run waits, as GitHub's list shows it. */
  readonly listed = new Map<number, string[]>();
  readonly written: (Omit<Review, 'state'> & { state: 'approved' | 'rejected' | 'pending' })[] = [];
  readonly ofPeople: (Omit<RunReview, 'comment'> & { comment?: string })[] = [];
  /** This App's reviews, as GitHub lists them. */
  readonly ofApp: RunReview[] = [];
  /** True if GitHub takes the next review, and its answer is lost. */
  losesAnswer = false;
  deployed: string | null = null;
  /** False if this App has reviewed all that waits. */
  isTaken = true;
  /** False if GitHub asks this App nothing, whatever its list shows. */
  isAsked = true;
  gated = true;
  /** A run that waits at `release`. */
  put(run: WorkflowRun = aRun()) {
    this.runs.push(run);
    this.listed.set(run.id, ['release']);
    return run;
  }
  async get(_repo: RepositoryRef, id: number) {
    return copyOf(this.runs, (run) => run.id === id);
  }
  async pending(_repo: RepositoryRef, id: number) {
    return this.listed.get(id) ?? null;
  }
  async reviews() {
    return [...this.ofApp, ...this.ofPeople.map((one) => ({ comment: '', ...one }))];
  }
  async waiting() {
    return this.runs.filter(({ id }) => this.listed.get(id)?.length);
  }
  isReviewed = false;
  async hasReviewers() {
    return this.isReviewed;
  }
  /** False if GitHub's own reviewers or its timer keep jobs waiting after a review. */
  isAlone = true;
  started = false;
  async hasStarted() {
    return this.started;
  }
  async isGated() {
    return this.gated;
  }
  async review(_repo: RepositoryRef, { state, ...review }: Review) {
    const isListed = this.listed.get(review.run)?.includes(review.environment);
    if (!this.isTaken) return 'reviewed' as const;
    if (!this.isAsked || (state && !isListed)) return 'gone' as const;
    this.written.push({ ...review, state: state ?? 'pending' });
    if (!state) return 'written' as const;
    const by = { id: 99, login: 'otp-guard[bot]', isMachine: true };
    this.ofApp.push({ environments: [review.environment], state, comment: review.comment, by });
    if (this.isAlone) this.listed.set(review.run, []);
    else this.isTaken = false;
    if (this.losesAnswer) {
      this.losesAnswer = false;
      throw new AppError('githubUnavailable');
    }
    return 'written' as const;
  }
  async lastDeployed() {
    return this.deployed;
  }
}

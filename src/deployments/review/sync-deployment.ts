import { setTimeout as delay } from 'node:timers/promises';
import { lacksOf } from '../../approvals/judge/judge.ts';
import type { DeploymentKey } from '../../approvals/ports.ts';
import { locateRepository } from '../../approvals/reconcile/sync-stored-head.ts';
import type { DeploymentState } from '../../contract/deployments.ts';
import { AppError } from '../../shared/app-error.ts';
import { sha256OfJson } from '../../shared/crypto.ts';
import type { DeploymentDeps } from '../deps.ts';
import {
  type JudgedDeployment,
  judgeDeployment,
  needsOf,
  type ShownRun,
  stillPasses,
} from '../judge/judge-deployment.ts';
import {
  type Deployment,
  isSameEnvironment,
  LAG_MS,
  nameOf,
  type Review,
  type RunReview,
  type WorkflowRun,
} from '../ports.ts';
import { logBypass, logRefusal } from './findings.ts';
import { approvedText, REFUSALS, rejectedText, waitingText } from './texts.ts';

/** A process that died holds its turn for this long. */
const TURN = { most: 1, ms: 60_000 };
/** An older reading approves nothing. GitHub may take 20 seconds more, and the turn is still held. */
const VERDICT_MS = 40_000;
const LOOK_EVERY_MS = 250;
const LONGEST_WAIT_MS = 20_000;

/** GitHub takes ten reports of a run. The last ones are kept for what happens late. */
const MOST_REPORTS = 8;

/** A webhook is here within this time of what it's about, and clocks differ by less. */
const DELIVERY_MS = 5_000;

/** What GitHub shows after a sync. `judged` is null if nothing was left to judge. */
export type SyncedDeployment = { state: DeploymentState; judged: JudgedDeployment | null };

/**
 * Reads a run, its decisions and the policy again, and writes the review that follows from them, or what jobs still wait
 * for. A review can't be taken back, so it never follows from what was known before. One process at a time does this for a
 * deployment.
 *
 * @param options.asked The time of GitHub's request: nothing is left to do if a reading began after it.
 * @param options.isDecided True if a person just decided about the attempt that GitHub shows.
 * @returns Null if OTP Guard knows no such deployment.
 * @throws AppError `runBeingCreated` if another process takes long; `githubUnavailable`, `storeUnavailable`. The scheduler
 *   tries again.
 */
export async function syncDeployment(
  deps: DeploymentDeps,
  key: DeploymentKey,
  { asked, isDecided = false }: { asked?: Date; isDecided?: boolean } = {},
): Promise<SyncedDeployment | null> {
  const turn = await takeTurn(deps, key);
  try {
    const deployment = await deps.deployments.find(key);
    if (!deployment) return null;
    if (asked && deployment.synced > asked) return { state: deployment.state, judged: null };
    const synced = deps.clock.now();
    const { judged, isDue, ...changed } = await review(deps, deployment, { readFrom: synced, isDecided });
    const lacks = judged && newLacks(deployment, judged);
    const beginsToWait = changed.state === 'waiting' && !isOpen(deployment);
    const saved = {
      ...changed,
      ...(lacks && { ...lacks, changed: synced }),
      ...(beginsToWait && { since: synced }),
    };
    await deps.deployments.save(deployment, isDue ? saved : { ...saved, synced });
    return { state: changed.state ?? deployment.state, judged };
  } finally {
    await turn.release().catch(() => undefined);
  }
}

/** What a deployment lacks now; null if that's the same as before. */
function newLacks({ lacks, denied }: Deployment, judged: JudgedDeployment) {
  const now = lacksOf(judged, judged.subject, judged.grounds);
  return sha256OfJson(now) === sha256OfJson({ lacks, denied }) ? null : now;
}

async function takeTurn({ quota, clock, sleep = delay }: DeploymentDeps, key: DeploymentKey) {
  for (let waited = 0; waited <= LONGEST_WAIT_MS; waited += LOOK_EVERY_MS) {
    const turn = await quota.take(`deployment:${nameOf(key)}`, TURN, clock.now());
    if (!(turn instanceof Date)) return turn;
    await sleep(LOOK_EVERY_MS);
  }
  throw new AppError('runBeingCreated');
}

/** `isDue` is true if GitHub's lists may not show yet that a job waits, or who started it. */
type Changed = Partial<Pick<Deployment, 'state' | 'shown' | 'reports'>> & {
  judged: JudgedDeployment | null;
  isDue?: boolean;
};
const NOTHING: Changed = { judged: null };
const is = (state: DeploymentState, judged: JudgedDeployment | null = null): Changed => ({ state, judged });

async function review(
  deps: DeploymentDeps,
  deployment: Deployment,
  reading: Pick<Waiting, 'readFrom' | 'isDecided'>,
): Promise<Changed> {
  const { repoId, orgId, environment } = deployment;
  const org = await deps.organizations.byOrgId(orgId);
  if (!org || org.suspended || org.installationId === 0) return NOTHING;
  const repo = await locateRepository(deps, deployment);
  const run = await deps.workflowRuns.get(repo, deployment.run);
  // A transferred repository is asked about again by its new account.
  if (run?.repoId !== repoId || run.ownerId !== orgId) return NOTHING;
  if (run.attempt !== deployment.attempt) return isOpen(deployment) ? is('ended') : NOTHING;
  const shown = { repo, run, environment, org };
  const fault = faultOf(deployment, run);
  if (fault) {
    await logRefusal(deps, shown, fault);
    await write(deps, shown, { state: 'rejected', comment: REFUSALS[fault] });
    return is('refused');
  }
  const pending = await deps.workflowRuns.pending(repo, run.id);
  const isWaiting = pending?.some((name) => isSameEnvironment(name, environment)) === true;
  const changed = Math.max(deployment.due.getTime(), run.updatedAt.getTime());
  const isRecent = deps.clock.now().getTime() - changed < LAG_MS;
  const mayBeOver = isOpen(deployment) && !(isWaiting && isRecent);
  const reviews = mayBeOver ? await listReviews(deps, shown) : [];
  const taken = reviews.find((one) => one.by?.isMachine && signOf(one) === deployment.shown);
  if (taken && !isWaiting)
    return { ...is(taken.state === 'approved' ? 'approved' : 'rejected'), shown: '', reports: 0 };
  const isBypassed = !isRecent && (await logBypass(deps, shown, reviews));
  // Jobs of a later wave can still wait, and GitHub shows them no report yet.
  if (isBypassed && !isWaiting) return { ...is('bypassed'), shown: '', reports: 0 };
  if (run.hasEnded) {
    if (!isOpen(deployment)) return NOTHING;
    return isRecent ? { judged: null, isDue: true } : is('ended');
  }
  const judged = await judgeDeployment(deps, shown);
  if (isWaiting) return decide(deps, { deployment, shown, judged, ...reading });
  // Nothing is approved that wasn't seen waiting.
  const shownNow = isOpen(deployment) ? await report(deps, deployment, shown, judged) : {};
  return { ...shownNow, judged, isDue: isRecent && (judged.passed || judged.rejection !== null) };
}

const isOpen = ({ state }: Deployment) => state === 'waiting';

/** GitHub's reviews of the environment, by everybody and in all attempts of the run. */
async function listReviews(
  { workflowRuns }: DeploymentDeps,
  { repo, run, environment }: ShownRun,
): Promise<RunReview[]> {
  const reviews = (await workflowRuns.reviews(repo, run.id)) ?? [];
  return reviews.filter((one) => one.environments.some((name) => isSameEnvironment(name, environment)));
}

/** Names a review by what GitHub lists. It's stored before the review is sent, to find it even if the answer was lost. */
const signOf = ({ state, comment }: Pick<RunReview, 'state' | 'comment'>) => `${state}: ${comment}`;

function faultOf(deployment: Pick<Deployment, 'head'>, run: WorkflowRun): keyof typeof REFUSALS | null {
  if (run.head !== deployment.head) return 'otherCommit';
  return run.isOwn ? null : 'fork';
}

type Waiting = {
  deployment: Deployment;
  shown: ShownRun;
  judged: JudgedDeployment;
  readFrom: Date;
  isDecided: boolean;
};

async function decide(deps: DeploymentDeps, waiting: Waiting): Promise<Changed> {
  const { origins } = deps;
  const { deployment, shown, judged, isDecided } = waiting;
  const { rejection, passed } = judged;
  if (!rejection && !passed)
    return { state: 'waiting', ...(await report(deps, deployment, shown, judged)), judged };
  if (!rejection) {
    if (!isDecided && mayBeStartedAgain(deps, waiting)) return { judged, isDue: true };
    await requireUnchanged(deps, waiting);
  }
  const [state, comment] = rejection
    ? (['rejected', rejectedText(origins, shown, rejection)] as const)
    : (['approved', approvedText(origins, shown, judged)] as const);
  await deps.deployments.save(deployment, { shown: signOf({ state, comment }) });
  // GitHub took nothing. Its lists can be old, but without the rule it asks for nothing more.
  if ((await write(deps, shown, { state, comment })) === 'gone') {
    const isOver = isOpen(deployment) && !(await deps.workflowRuns.isGated(shown.repo, shown.environment));
    return isOver ? is('ended') : { judged };
  }
  // GitHub shows no report to the jobs of a later wave.
  return { ...is(state, judged), shown: '', reports: 0 };
}

/**
 * Tells whether GitHub may still show the run as it was before it was started again, which its newest request is about: an
 * earlier approval would let another attempt start.
 */
function mayBeStartedAgain({ clock }: DeploymentDeps, { deployment, shown, judged }: Waiting): boolean {
  const asked = deployment.due.getTime();
  const isOld = shown.run.updatedAt.getTime() < asked - DELIVERY_MS;
  return judged.approvals.length > 0 && isOld && clock.now().getTime() - asked < LAG_MS;
}

/**
 * Reads again what decides. An attempt that waits can't be repeated before it ends, so the attempt that was seen waiting is
 * still the present one.
 *
 * @throws AppError `githubUnavailable` if anything changed, or the first reading is too old: the next try reads everything.
 */
async function requireUnchanged(deps: DeploymentDeps, { shown, judged, readFrom }: Waiting): Promise<void> {
  const { repo, run } = shown;
  const now = await deps.workflowRuns.get(repo, run.id);
  const isSameRun = now?.repoId === run.repoId && now.attempt === run.attempt && now.head === run.head;
  const isUnchanged = isSameRun && !now.hasEnded && (await stillPasses(deps, shown, judged));
  // If the clock was set in between, nobody knows how old the reading is.
  const age = Math.abs(deps.clock.now().getTime() - readFrom.getTime());
  if (!isUnchanged || age > VERDICT_MS)
    throw new AppError('githubUnavailable', { cause: new Error('what decides changed while it was read') });
}

const write = (
  { workflowRuns }: DeploymentDeps,
  { repo, run, environment }: ShownRun,
  review: Pick<Review, 'state' | 'comment'>,
) => workflowRuns.review(repo, { run: run.id, environment, ...review });

/** Tells GitHub what the jobs wait for, if it doesn't show that yet. If no job waits for this App, the state stays. */
async function report(
  deps: DeploymentDeps,
  { state, shown: before, reports }: Deployment,
  shown: ShownRun,
  judged: JudgedDeployment,
): Promise<Partial<Changed>> {
  if (needsOf(judged) === null) return {};
  const comment = waitingText(deps.origins, shown, judged);
  if (comment === before || reports >= MOST_REPORTS) return {};
  const answer = await write(deps, shown, { comment });
  if (answer === 'written') return { shown: comment, reports: reports + 1 };
  return answer === 'refused' ? {} : { state };
}

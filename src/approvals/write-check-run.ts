import { setImmediate } from 'node:timers/promises';
import type { Checkpoint } from '../audit/ports.ts';
import { addressIn } from '../links.ts';
import { aboutToPass } from './check-run-texts.ts';
import { type CurrentRunDeps, FAILED, isFailed } from './current-run.ts';
import { type CheckpointDeps, withLogPart } from './log-part.ts';
import type {
  CheckRunContent,
  CheckRunRecord,
  CheckRuns,
  GitHubRun,
  HeadRef,
  WritePriority,
} from './ports.ts';
import { isAboutToGoStale } from './stale-run.ts';

export type CheckRunDeps = CurrentRunDeps & CheckpointDeps & { checkRuns: CheckRuns };

export type DesiredRun = {
  at: HeadRef;
  /** The head's run as it was known *before* the verdict; null if there was none. */
  run: CheckRunRecord | null;
  content: CheckRunContent;
  /** The newest of the log, if the caller knows it. */
  checkpoint?: Checkpoint | undefined;
  /** When reading what the content follows from began. */
  readFrom: Date;
  /** Equal for two verdicts that look the same. */
  state: string;
  /** Creates a new run even if the known one has this state: GitHub no longer shows that one. */
  replace?: boolean | undefined;
  /** GitHub may have a run that the store doesn't know about: look for one first. */
  lookFirst?: boolean | undefined;
  /** GitHub shows a success that isn't ours, or another writer may be completing what was withdrawn: this mustn't wait. */
  isUrgent?: boolean | undefined;
  /** No open pull request has the head: those that have one come first, also if this takes a success away. */
  canWait?: boolean | undefined;
  /** Called when GitHub has completed the pending run, if no newer one had replaced it when GitHub was asked. */
  onCompleted?: (() => void) | undefined;
};

/**
 * - `first`: created the head's first run
 * - `written`: changed an existing run, or created a newer one
 * - `pending`: created a run that the next call completes
 * - `lost`: another process is creating the run
 * - `unchanged`: the run already looks like this
 */
export type WriteOutcome = 'first' | 'written' | 'pending' | 'lost' | 'unchanged';

/**
 * Reading a pull request with 3,000 files takes 30 requests one after the other, and the write may have to wait for its
 * turn. After longer than that, too much may have changed.
 */
const VERDICT_MS = 60_000;
/** The state of a run that is about to succeed. */
const ABOUT_TO_PASS = 'in_progress:about-to-pass';
/** The state of a run that GitHub may show as completed: we asked for it, and don't know the answer. */
export const COMPLETING = 'completing';

/**
 * Makes GitHub show this content on a head.
 *
 * - A pending run is only ever completed, and only by a caller who knew it
 *   before judging. Every other change creates a new run, and GitHub counts the
 *   newest of a name. So a writer with outdated information can at most
 *   complete an old run. GitHub may also keep a completed run completed.
 * - Claiming an attempt creates a record that can exist only once, so two
 *   processes never create two runs.
 * - A success is given up if its verdict gets old before GitHub has it: the
 *   next try reads again.
 * - A run is never created as a success: a request can reach GitHub long after
 *   we gave up on it, and would then be the newest. It is created as pending,
 *   and the caller completes it with its next call.
 *
 * @throws AppError `githubUnavailable` if the run can't be written now.
 */
export async function writeCheckRun(deps: CheckRunDeps, desired: DesiredRun): Promise<WriteOutcome> {
  const { at, run, content, state } = desired;
  if (run && run.checkRunId !== 0 && !desired.replace) {
    const isKept = content.status === 'completed' || !isAboutToGoStale(run, deps.clock.now());
    if (run.state === state && isKept) return 'unchanged';
    if (content.status === 'completed' && (await completeRun(deps, desired, run))) return 'written';
  }
  const claim = await deps.checkRunRecords.claim(at.repoId, at.head, (run?.attempt ?? 0) + 1);
  if (!claim) return 'lost';
  if (!(await createRun(deps, desired, claim))) return 'pending';
  return claim.attempt === 1 ? 'first' : 'written';
}

/**
 * Completes a pending run; false if GitHub didn't. The intent is saved first: if
 * this process dies before it saves the outcome, a success on GitHub is ours.
 */
async function completeRun(deps: CheckRunDeps, desired: DesiredRun, run: CheckRunRecord): Promise<boolean> {
  const { checkRuns, checkRunRecords, clock, verdictMs = VERDICT_MS } = deps;
  const { at, state, readFrom } = desired;
  const [content] = await Promise.all([
    withLogPart(deps, at, desired),
    run.state === COMPLETING ? undefined : checkRunRecords.save(run, run.checkRunId, COMPLETING),
  ]);
  // If the clock was set meanwhile, nobody knows how old the verdict is.
  const age = Math.abs(clock.now().getTime() - readFrom.getTime());
  const withinMs = content.conclusion === 'success' ? verdictMs - age : undefined;
  const [isCompleted, isNewest] = await Promise.all([
    checkRuns.update(at.repo, run.checkRunId, content, priorityOf(desired), withinMs),
    desired.onCompleted && isStillNewest(deps, at, run),
  ]);
  if (!isCompleted) return false;
  if (isNewest) {
    desired.onCompleted?.();
    // Lets the answer go out before this goes on. Until the outcome is saved, the run counts as about to be completed.
    await setImmediate();
  }
  await checkRunRecords.save(run, run.checkRunId, state);
  return true;
}

/** If another process replaces the run after this, the look that follows the write sees it. */
async function isStillNewest(
  { checkRunRecords }: CheckRunDeps,
  { repoId, head }: HeadRef,
  run: CheckRunRecord,
): Promise<boolean> {
  // Once GitHub's request has left.
  await setImmediate();
  const newest = await checkRunRecords.latest(repoId, head).catch(() => null);
  return newest?.attempt === run.attempt;
}

/**
 * Creates the run of an attempt that the caller claimed. False if it is to succeed and is only pending so far.
 *
 * @throws AppError `githubUnavailable`; the attempt is given up then.
 */
export async function createRun(
  deps: CheckRunDeps,
  desired: DesiredRun,
  claim: CheckRunRecord,
): Promise<boolean> {
  const { repo, head } = desired.at;
  const isSuccess = desired.content.conclusion === 'success';
  const plain = isSuccess ? aboutToPass(desired.content) : desired.content;
  try {
    const left = await findLeftRun(deps, desired);
    const isOutdated = left && isPending(left, desired.content) && !hasSameAddress(left, desired.content);
    if (left && isShowing(left, desired.content) && !isOutdated) {
      await deps.checkRunRecords.save(claim, left.id, desired.state);
      return true;
    }
    const priority = priorityOf(desired);
    const content = await withLogPart(deps, desired.at, { ...desired, content: plain });
    const isReused =
      left &&
      !isOutdated &&
      left.status !== 'completed' &&
      (await deps.checkRuns.update(repo, left.id, content, priority));
    const id = isReused ? left.id : await deps.checkRuns.create(repo, head, content, priority);
    await deps.checkRunRecords.save(claim, id, isSuccess ? ABOUT_TO_PASS : desired.state);
    return !isSuccess;
  } catch (error) {
    const state = mayShowSuccess(desired.run) ? FAILED.overSuccess : FAILED.overNothing;
    await deps.checkRunRecords.save(claim, 0, state);
    throw error;
  }
}

/** A run of an attempt that was given up: it may have reached GitHub even if the answer never came back. */
async function findLeftRun(
  { checkRuns }: CheckRunDeps,
  { at, run, lookFirst }: DesiredRun,
): Promise<GitHubRun | null> {
  const mayExist = run?.checkRunId === 0 || (run === null && lookFirst);
  return mayExist ? checkRuns.findNewest(at.repo, at.head) : null;
}

/**
 * What replaces a success, or may have to after a failed attempt, comes first; then what completes with a success, and
 * first for a person who waits for that.
 */
function priorityOf({ run, content, isUrgent, canWait, onCompleted }: DesiredRun): WritePriority {
  if (canWait) return 'other';
  if (content.conclusion === 'success') return onCompleted ? 'approval' : 'completion';
  return isUrgent || mayShowSuccess(run) ? 'takeAway' : 'other';
}

/** A burst of new pull requests whose first attempts failed must not use up the reserve of the successes. */
export const mayShowSuccess = (run: CheckRunRecord | null) =>
  run !== null && (wasCompleted(run.state) || run.state === FAILED.overSuccess);

/** Whether a process completed the run, or was about to. */
export const wasCompleted = (state: string) => state.startsWith('completed') || state === COMPLETING;

/** Whether GitHub shows the run, and nobody has tried to complete it. */
export const isWaiting = (run: CheckRunRecord | null): run is CheckRunRecord =>
  run !== null && run.checkRunId !== 0 && !isFailed(run.state) && !wasCompleted(run.state);

function isShowing(run: GitHubRun, content: Pick<CheckRunContent, 'status' | 'conclusion'>): boolean {
  return run.status === content.status && run.conclusion === (content.conclusion ?? null);
}

/** Whether a person would still have to follow the run's link. */
function isPending(run: GitHubRun, content: CheckRunContent): boolean {
  return run.status !== 'completed' && content.status !== 'completed';
}

function hasSameAddress(run: GitHubRun, content: CheckRunContent): boolean {
  return addressIn(run.detailsUrl) === addressIn(content.detailsUrl);
}

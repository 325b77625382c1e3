import type { Checkpoint } from '../../audit/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { addressIn } from '../../shared/links.ts';
import type { HeadDeps } from '../deps.ts';
import type {
  CheckRunContent,
  CheckRunRecord,
  GitHubRun,
  HeadRef,
  RunState,
  ShownContent,
  WritePriority,
} from '../ports.ts';
import { targetOf } from '../sync-target.ts';
import { LONGEST } from './markdown.ts';
import { isAboutToGoStale, minimalOf, nextState, showsAlready } from './run.ts';
import { aboutToPass, minimalContent } from './texts.ts';

export type DesiredRun = {
  headRef: HeadRef;
  /** The head's run as it was known *before* the verdict; null if there was none. */
  run: CheckRunRecord | null;
  content: CheckRunContent;
  /** The time at which the caller began to read everything that decides the content. */
  readFrom: Date;
  /** Equal for two verdicts that look the same. */
  fingerprint: string;
  reason: WriteReason;
  /** The attempt whose run GitHub no longer shows: it is replaced even if its content is up to date. */
  replaceAttempt?: number | undefined;
  /** Saves what has to be stored before GitHub shows a success. */
  beforeSuccess?(): Promise<void>;
  /** The newest checkpoint of the organization's log, if the caller has just added to it. */
  checkpoint?: Checkpoint | undefined;
};

/**
 * Why a run is written. It decides how soon GitHub gets it.
 *
 * - `webhook`: GitHub said that something changed
 * - `approval`: a person waits until GitHub shows it
 * - `withdrawal`: GitHub shows a success that isn't ours, or another writer may complete one that was withdrawn or denied
 * - `repair`: records and GitHub are compared, and GitHub may have a run that the store doesn't know
 * - `precaution`: no open pull request has the head, so heads that have one come first
 */
export type WriteReason = 'webhook' | 'approval' | 'withdrawal' | 'repair' | 'precaution';

/**
 * - `first`: created the head's first run
 * - `written`: changed an existing run, or created a newer one
 * - `pending`: created a run that the next call completes
 * - `lost`: another process is creating the run, or has created a newer one
 * - `unchanged`: the run already looks like this
 */
export type WriteOutcome = 'first' | 'written' | 'pending' | 'lost' | 'unchanged';

/**
 * Reading a pull request with 3,000 files takes 30 requests one after the other, and the write may have to wait for its
 * turn. After longer than that, too much may have changed.
 */
const VERDICT_MS = 60_000;

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
 * - A denied run is always created as such, never by completing another one.
 * - A run is never created as a success: a request can reach GitHub long after
 *   we gave up on it, and would then be the newest. It is created as pending,
 *   and the caller completes it with its next call.
 *
 * @throws AppError `githubUnavailable` if the run can't be written now.
 */
export async function writeCheckRun(deps: HeadDeps, desired: DesiredRun): Promise<WriteOutcome> {
  const { headRef, run, content } = desired;
  if (isOnGitHub(run) && run.attempt !== desired.replaceAttempt) {
    const now = deps.clock.now();
    const isKept = content.status === 'completed' || !isAboutToGoStale(run, now);
    if (showsAlready(run, shownBy(desired), now) && isKept) return 'unchanged';
    // A writer that doesn't know the denial may be completing this run, so a denial gets a run of its own.
    const isCompleted = content.status === 'completed' && !isDenied(content);
    const outcome = isCompleted ? await completeRun(deps, desired, run) : null;
    if (outcome) return outcome;
  }
  const claim = await deps.checkRunRecords.claim(headRef.repoId, headRef.head, (run?.attempt ?? 0) + 1);
  if (!claim) return 'lost';
  if (!(await createRun(deps, desired, claim))) return 'pending';
  return claim.attempt === 1 ? 'first' : 'written';
}

const isDenied = ({ conclusion }: Pick<CheckRunContent, 'conclusion'>) => conclusion === 'action_required';

/** A run that GitHub has, as far as we know. */
type RunOnGitHub = CheckRunRecord & { checkRunId: number };
const isOnGitHub = (run: CheckRunRecord | null): run is RunOnGitHub =>
  run !== null && run.checkRunId !== null;

/** The state of a run with the desired content. */
export const shownBy = ({ content, fingerprint }: Pick<DesiredRun, 'content' | 'fingerprint'>) => ({
  phase: content.status === 'completed' ? ('completed' as const) : ('pending' as const),
  fingerprint,
  mayBeGreen: content.conclusion === 'success',
});

/**
 * Completes a run; null if GitHub didn't. The intent is saved first: if this process dies before it saves the outcome, a
 * success on GitHub is ours.
 */
async function completeRun(
  deps: HeadDeps,
  desired: DesiredRun,
  run: RunOnGitHub,
): Promise<'written' | 'lost' | null> {
  const { checkRuns, checkRunRecords, clock, verdictMs = VERDICT_MS } = deps;
  const { headRef, readFrom } = desired;
  const isSuccess = desired.content.conclusion === 'success';
  const mayBeGreen = run.mayBeGreen || isSuccess;
  const completing = nextState(run, { phase: 'completing', fingerprint: '', mayBeGreen });
  const [content] = await Promise.all([
    withLogPart(deps, desired),
    checkRunRecords.save(run, run.checkRunId, completing),
    isSuccess && desired.beforeSuccess?.(),
  ]);
  // If the clock was set in between, nobody knows how old the verdict is.
  const age = Math.abs(clock.now().getTime() - readFrom.getTime());
  const withinMs = isSuccess ? verdictMs - age : undefined;
  const { result: isUpdated, isMinimal } = await writeText(content, (shown) =>
    checkRuns.update(headRef.repo, run.checkRunId, shown, priorityOf(desired), withinMs),
  );
  if (!isUpdated) return null;
  const [newest] = await Promise.all([
    checkRunRecords.latest(headRef.repoId, headRef.head),
    checkRunRecords.save(run, run.checkRunId, inText(shownBy(desired), isMinimal)),
  ]);
  return newest?.attempt === run.attempt ? 'written' : 'lost';
}

/**
 * Creates the run of an attempt that the caller claimed. False if it is to succeed and is only pending so far.
 *
 * @throws AppError `githubUnavailable`; the attempt is given up then.
 */
export async function createRun(
  deps: HeadDeps,
  desired: DesiredRun,
  claim: CheckRunRecord,
): Promise<boolean> {
  const { repo, head } = desired.headRef;
  const isSuccess = desired.content.conclusion === 'success';
  const plain = isSuccess ? aboutToPass(desired.content) : desired.content;
  const final = nextState(claim, shownBy(desired));
  try {
    const left = await findLeftRun(deps, desired);
    const isOutdated = left && hasOldLink(left, desired.content);
    if (left && isShowing(left, desired.content) && !isOutdated) {
      if (isSuccess) await desired.beforeSuccess?.();
      await deps.checkRunRecords.save(claim, left.id, final);
      return true;
    }
    const priority = priorityOf(desired);
    const content = await withLogPart(deps, { ...desired, content: plain });
    const reused = left && !isOutdated && left.status !== 'completed' ? left.id : null;
    const { result: id, isMinimal } = await writeText(content, async (shown) => {
      const isUpdated = reused && (await deps.checkRuns.update(repo, reused, shown, priority));
      if (isUpdated === 'refused') return isUpdated;
      return isUpdated ? reused : deps.checkRuns.create(repo, head, shown, priority);
    });
    const prepared = nextState(claim, { phase: 'prepared', fingerprint: '', mayBeGreen: false });
    await deps.checkRunRecords.save(claim, id, isSuccess ? prepared : inText(final, isMinimal));
    return !isSuccess;
  } catch (error) {
    await giveUp(deps, claim, desired.run);
    throw error;
  }
}

/**
 * Writes the content. If GitHub refuses its text, writes the minimal one, at
 * last without the log: a text must never be why a success stays.
 *
 * @throws AppError `githubUnavailable` if GitHub refuses even that.
 */
async function writeText<T>(
  content: CheckRunContent,
  write: (shown: ShownContent) => Promise<T | 'refused'>,
): Promise<{ result: T; isMinimal: boolean }> {
  const { log: _log, ...withoutLog } = content;
  const withLog = content.log ? [minimalContent(content)] : [];
  for (const shown of [content, ...withLog, minimalContent(withoutLog)]) {
    const result = await write(shown);
    if (result !== 'refused') return { result, isMinimal: shown !== content };
  }
  throw new AppError('githubUnavailable', {
    cause: new Error('GitHub refuses even the minimal text of a check run'),
  });
}

const inText = (state: RunState, isMinimal: boolean): RunState =>
  isMinimal ? { ...state, fingerprint: minimalOf(state.fingerprint) } : state;

/** GitHub continues to show the run before the attempt, which may be a success. */
export function giveUp(
  { checkRunRecords }: HeadDeps,
  claim: CheckRunRecord,
  before: CheckRunRecord | null,
): Promise<void> {
  const mayBeGreen = before?.mayBeGreen ?? false;
  return checkRunRecords.save(
    claim,
    null,
    nextState(claim, { phase: 'failed', fingerprint: '', mayBeGreen }),
  );
}

/**
 * A run of an attempt that was given up: it may have reached GitHub even if the answer never came back. A denial takes none
 * over, because another process may know the run that GitHub shows, and complete it.
 */
async function findLeftRun(
  { checkRuns }: HeadDeps,
  { headRef, run, reason, content }: DesiredRun,
): Promise<GitHubRun | null> {
  if (isDenied(content)) return null;
  const mayExist = run ? run.checkRunId === null : reason === 'repair';
  return mayExist ? checkRuns.findNewest(headRef.repo, headRef.head) : null;
}

/**
 * A write that replaces a success, or may have to after a failed attempt, comes first; then a write that completes a
 * run with a success, and first for a person who waits for that. A burst of new pull requests whose first attempts
 * failed must not use up the reserve of the successes.
 */
function priorityOf({ run, content, reason }: DesiredRun): WritePriority {
  if (reason === 'precaution') return 'other';
  if (content.conclusion === 'success') return reason === 'approval' ? 'approval' : 'completion';
  return reason === 'withdrawal' || run?.mayBeGreen ? 'takeAway' : 'other';
}

function isShowing(run: GitHubRun, content: Pick<CheckRunContent, 'status' | 'conclusion'>): boolean {
  return run.status === content.status && run.conclusion === (content.conclusion ?? null);
}

/** Tells whether a run has an outdated link that a person would still have to follow. */
function hasOldLink(run: GitHubRun, content: CheckRunContent): boolean {
  if (run.status === 'completed' || content.status === 'completed') return false;
  return addressIn(run.detailsUrl) !== addressIn(content.detailsUrl);
}

/**
 * The content with the newest checkpoint of the organization's log, if it completes a run. GitHub keeps it, where
 * we can't change it later. Never rejects: the verdict that people wait for doesn't depend on the log.
 */
async function withLogPart(deps: HeadDeps, desired: DesiredRun): Promise<CheckRunContent> {
  const { headRef, content } = desired;
  if (content.status !== 'completed') return content;
  try {
    const checkpoint = desired.checkpoint ?? (await deps.auditLog.newestOf(headRef.repo.installation));
    const log = checkpoint ? logPart(checkpoint) : '';
    const fits = log !== '' && Buffer.byteLength(log) <= LONGEST.log;
    return fits ? { ...content, log } : content;
  } catch (error) {
    deps.onNoCheckpoint(error, targetOf(headRef));
    return content;
  }
}

/**
 * Folded, because only `otp-guard audit` reads it. The checkpoint is a signed note of ours, which has no backquotes
 * and ends with a newline.
 */
export function logPart({ size, note }: Pick<Checkpoint, 'size' | 'note'>): string {
  const entries = size === 1 ? '1 entry' : `${size.toLocaleString('en-US')} entries`;
  const title = `<details><summary>Signed checkpoint of the log: ${entries}</summary>`;
  return `${title}\n\n\`otp-guard audit\` compares the log with it.\n\n\`\`\`\n${note}\`\`\`\n\n</details>`;
}

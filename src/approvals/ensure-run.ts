import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { CheckRunContent, CheckRuns, GitHubRun, RepositoryRef, RunRecord, Runs } from './ports.ts';

/** How long a claimed run is left to the process that claimed it, and how long one caller waits for it. */
export type RunWaits = { claimMs: number; lookForMs: number };

export type RunDeps = { checkRuns: CheckRuns; runs: Runs; clock: Clock } & Partial<RunWaits>;

export type HeadRef = { repo: RepositoryRef; repoId: number; head: string };

export type RunWish = {
  at: HeadRef;
  /** The head's run as it was known *before* the verdict was made; null where there was none. */
  run: RunRecord | null;
  content: CheckRunContent;
  /** Equal for two verdicts that look the same. */
  state: string;
  /** Makes a new run also where the known one says the same: GitHub does not show that one any more. */
  renew?: boolean | undefined;
  /** GitHub may have a run that we do not know of: it is looked for first. */
  lookFirst?: boolean | undefined;
};

/** Whoever claimed a run has this long to make it; then another looks whether it is there. */
export const CLAIM_MS = 30_000;
const LOOK_EVERY_MS = 50;
const LOOK_FOR_MS = 5_000;
const FAILED = 'failed';
const OPENED = 'in_progress:opened';
/** GitHub turns an incomplete run stale after 14 days ("Status checks"); a new one takes its place before that. */
const STALE_MS = 13 * 24 * 60 * 60 * 1000;

/**
 * Gives a head a run with this content.
 *
 * A run that waits is never written to but to complete it, by someone who knew
 * of it before they judged; whatever else changes gets a new run, and the newest
 * of a name is the one that counts. So a writer with old knowledge completes an
 * old run at most, wherever it was held up and whatever it did not live to say.
 * GitHub may keep a completed run completed besides.
 *
 * The right to make a run is taken by creating a record that can exist once, so
 * two processes never make two.
 *
 * A run is never made as a success: a request can reach GitHub long after we gave
 * it up, and would then be the newest of all. It is made to wait, and completed
 * with the next look.
 *
 * @returns `first` where this is the head's first run, `written` where there was
 *   one before, `unchanged`, `opened` where a run waits to be completed, or `lost`
 *   where another makes one now: look again.
 * @throws AppError `githubUnavailable` where the run cannot be made or written now.
 */
export async function ensureRun(
  deps: RunDeps,
  wish: RunWish,
): Promise<'first' | 'written' | 'unchanged' | 'opened' | 'lost'> {
  const { at, run, content } = wish;
  if (run && run.checkRunId !== 0 && !wish.renew) {
    if (run.state === wish.state && !isAging(deps, run, content)) return 'unchanged';
    if (content.status === 'completed' && (await deps.checkRuns.update(at.repo, run.checkRunId, content))) {
      await deps.runs.save(run, run.checkRunId, wish.state);
      return 'written';
    }
  }
  const claim = await deps.runs.claim(at.repoId, at.head, (run?.attempt ?? 0) + 1);
  if (!claim) return 'lost';
  if (!(await makeRun(deps, wish, claim))) return 'opened';
  return claim.attempt === 1 ? 'first' : 'written';
}

/** Makes the claimed run; false where it is to succeed and only waits as yet. */
async function makeRun(deps: RunDeps, wish: RunWish, claim: RunRecord): Promise<boolean> {
  const { repo, head } = wish.at;
  const isSuccess = wish.content.conclusion === 'success';
  const content = isSuccess ? opened(wish.content) : wish.content;
  try {
    // An attempt that was given up may have reached GitHub though its answer never came back.
    const isUnsure = wish.run?.checkRunId === 0 || (wish.run === null && wish.lookFirst);
    const left = isUnsure ? await deps.checkRuns.find(repo, head) : null;
    if (left && isShowing(left, wish.content)) {
      await deps.runs.save(claim, left.id, wish.state);
      return true;
    }
    const isTaken =
      left && left.status !== 'completed' && (await deps.checkRuns.update(repo, left.id, content));
    const id = isTaken ? left.id : await deps.checkRuns.create(repo, head, content, isUrgent(wish));
    await deps.runs.save(claim, id, isSuccess ? OPENED : wish.state);
    return !isSuccess;
  } catch (error) {
    await deps.runs.save(claim, 0, FAILED);
    throw error;
  }
}

const opened = ({ detailsUrl, summary }: CheckRunContent): CheckRunContent => ({
  status: 'in_progress',
  detailsUrl,
  title: 'One moment',
  summary,
});

/** What takes a green check away, or may have failed to, goes before everything else. */
function isUrgent({ run, content }: RunWish): boolean {
  const isBehindGreen = run?.state.startsWith('completed') || run?.state === FAILED;
  return content.status === 'in_progress' && isBehindGreen === true;
}

function isAging({ clock }: RunDeps, run: RunRecord, content: CheckRunContent): boolean {
  return content.status === 'in_progress' && clock.now().getTime() - run.since.getTime() > STALE_MS;
}

/** Whether GitHub's run says the same already. */
export function isShowing(run: GitHubRun, content: Pick<CheckRunContent, 'status' | 'conclusion'>): boolean {
  return run.status === content.status && run.conclusion === (content.conclusion ?? null);
}

/** The head's newest run; waits for one that another is making now. Without an id it was given up. */
export async function knownRun(deps: RunDeps, at: HeadRef): Promise<RunRecord | null> {
  const { claimMs = CLAIM_MS, lookForMs = LOOK_FOR_MS } = deps;
  const deadline = Date.now() + lookForMs;
  for (;;) {
    const run = await deps.runs.latest(at.repoId, at.head);
    if (run?.checkRunId !== 0 || run.state === FAILED) return run;
    if (deps.clock.now().getTime() - run.since.getTime() > claimMs) return run;
    if (Date.now() > deadline) throw new AppError('runInTheMaking');
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

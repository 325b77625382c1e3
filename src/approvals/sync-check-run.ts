import { AppError } from '../app-error.ts';
import { addressIn, type Origins } from '../links.ts';
import { sha256Base64url } from '../sha256.ts';
import { headContent } from './head-content.ts';
import { type Grounds, isRuled, type JudgedPull, judge, type Verdict } from './judge.ts';
import { lacksOf } from './lacks-of.ts';
import type { CheckRunContent, HeadRef, OpenPull, PullRequest, WithdrawnApproval } from './ports.ts';
import { type Head, type ReadHeadDeps, readHead, type Snapshot } from './read-head.ts';
import type { StoredHead } from './read-known.ts';
import { type CheckRunDeps, type DesiredRun, mayShowSuccess, writeCheckRun } from './write-check-run.ts';

export type SyncDeps = ReadHeadDeps & CheckRunDeps & { origins: Origins };

export type SyncOptions = {
  /** The attempt whose run GitHub no longer shows: it is replaced even if its content is up to date. */
  replaceAttempt?: number | undefined;
  /** GitHub may have a run that the store doesn't know about, so look for one before creating it. */
  lookFirst?: boolean | undefined;
  /** GitHub shows a success that isn't ours: taking it away must not wait. */
  isUrgent?: boolean | undefined;
  /** Called with each verdict, also if GitHub can't be updated with it. */
  onJudged?: ((verdict: Verdict) => void) | undefined;
  /** Called as soon as GitHub shows the verdict in the head's newest run. The sync then goes on, to look again. */
  onShown?: (() => void) | undefined;
};

const MOST_ROUNDS = 5;

/**
 * Makes GitHub show the truth about a head: one check run of ours, pending
 * until every open pull request with this head is approved. Reads the head,
 * judges it, writes the run, and looks again after each write, so that of two
 * concurrent writers the one that knew less corrects its own write. Any number
 * of processes may call it, for any event.
 *
 * @returns The verdict, and whether GitHub's run was changed.
 * @throws AppError `githubUnavailable`, `storeUnavailable`; calling again is safe.
 */
export async function syncCheckRun(
  deps: SyncDeps,
  at: HeadRef,
  snapshot?: Snapshot,
  options: SyncOptions = {},
): Promise<Verdict & { written: boolean }> {
  const fromCaller = numbersWithHead(snapshot?.pulls ?? [], at.head);
  let known = snapshot;
  let writtenState: string | undefined;
  let written = false;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const head = await readHead(deps, at, { snapshot: known, fromCaller });
    // A repository that the App can't see isn't closed, so its approvals stay unreported.
    if (!head) return { passed: false, pulls: [], written: false };
    const decision = decide(deps, at, head);
    options.onJudged?.(decision.verdict);
    if (needsFreshRecords(known, head, decision)) {
      known = { ...known, stored: undefined };
      continue;
    }
    known = undefined;
    // Read the pull requests again, this time after the run.
    if (needsFreshPulls(head, decision)) continue;
    const isClosed = decision.verdict.pulls.length === 0 && !leavesWithdrawnGreen(at, head);
    // What was written doesn't count if another process has created a newer run since.
    const isWritten = decision.state === writtenState && head.run?.state === writtenState;
    const isShown = isClosed || isWritten;
    const outcome = isShown
      ? 'unchanged'
      : await writeCheckRun(deps, toDesired(at, { head, decision, options }));
    // If this was the head's first run, nobody else can have judged by it, so there is no need to look again.
    if (outcome === 'unchanged' || outcome === 'first') {
      await markReported(deps, head, decision.verdict);
      return { ...decision.verdict, written: written || outcome === 'first' };
    }
    writtenState = outcome === 'written' ? decision.state : undefined;
    written ||= outcome !== 'lost';
  }
  throw new AppError('githubUnavailable', { cause: new Error('the verdict changed with every look') });
}

type Decision = { verdict: Verdict; content: CheckRunContent; state: string };

/** What the head's run should show, by what was read. */
export function decide(
  deps: SyncDeps,
  at: HeadRef,
  { pulls, approvals, withdrawn, grounds }: Head,
): Decision {
  const verdict = judge({ head: at.head, pulls, approvals, grounds });
  const content = headContent(deps.origins, at.repo, verdict);
  // A person follows the link of a waiting run, so the run is outdated if its link is. A completed one stays.
  const address = content.status === 'completed' ? '' : addressIn(content.detailsUrl);
  return { verdict, content, state: `${content.status}:${fingerprint(verdict, withdrawn, address)}` };
}

/**
 * Records from before an approval was stored may only make the run succeed, which is looked at again. For anything else,
 * of two approvals or changes at the same time each would miss the other.
 */
function needsFreshRecords(
  known: Snapshot | undefined,
  { run }: Head,
  { content, state }: Decision,
): known is Snapshot & { stored: StoredHead } {
  return known?.stored !== undefined && (content.conclusion !== 'success' || run?.state === state);
}

/** A run may only be completed by pull requests that were read after it. */
function needsFreshPulls({ run, canComplete }: Head, { content, state }: Decision): boolean {
  return !canComplete && content.status === 'completed' && run?.state !== state;
}

/**
 * Nothing open has this head, but a pull request can be opened again, or pushed back to it, and merge on the withdrawn
 * success before we hear of it. What was merged can't come back.
 */
function leavesWithdrawnGreen({ head }: HeadRef, { run, withdrawn, pulls }: Head): boolean {
  const isMerged = pulls.some((pull) => pull.head === head && pull.merged);
  return !isMerged && mayShowSuccess(run) && withdrawn.some(({ reported }) => !reported);
}

/** The run that a decision asks for. */
export function toDesired(
  at: HeadRef,
  {
    head: { run, withdrawn, readFrom, checkpoint },
    decision,
    options,
  }: { head: Head; decision: Decision; options: SyncOptions },
): DesiredRun {
  return {
    at,
    run,
    content: decision.content,
    readFrom,
    checkpoint,
    state: decision.state,
    replace: run !== null && run.attempt === options.replaceAttempt,
    lookFirst: options.lookFirst,
    isUrgent: options.isUrgent || withdrawn.some(({ reported }) => !reported),
    canWait: decision.verdict.pulls.length === 0,
    onCompleted: options.onShown,
  };
}

function numbersWithHead(pulls: PullRequest[], head: string): number[] {
  return pulls.filter((pull) => pull.open && pull.head === head).map(({ number }) => number);
}

/** GitHub shows the verdict now. */
async function markReported(
  deps: SyncDeps,
  { approvals, withdrawn, grounds }: Head,
  verdict: Verdict,
): Promise<void> {
  await deps.approvals.markReported(approvals);
  await deps.approvals.markWithdrawalsReported(withdrawn);
  // Not worth failing for: GitHub is up to date, and the next sync saves the pull requests again.
  await saveOpenPulls(deps, verdict.pulls, grounds).catch(() => undefined);
}

async function saveOpenPulls(deps: SyncDeps, judged: JudgedPull[], grounds: Grounds): Promise<void> {
  const [first] = judged;
  if (!first) return;
  const pulls = judged.map((one) => ({ ...toOpenPull(one), lacks: lacksOf(one, grounds) }));
  await deps.openPulls.save(first.pull.repo.ownerId, pulls, deps.clock.now());
}

function toOpenPull({ pull, passed }: JudgedPull): Omit<OpenPull, 'lacks'> {
  return {
    repoId: pull.repo.id,
    repoName: pull.repo.name,
    pr: pull.number,
    title: pull.title,
    author: pull.author?.login ?? '',
    head: pull.head,
    base: pull.base,
    approved: passed,
    opened: pull.createdAt,
    reviewers: pull.reviewers,
  };
}

/**
 * Equal for two verdicts over the same pull requests, base branches, approvals,
 * outcomes of rules and withdrawals, with the same address. A withdrawal counts because a writer that doesn't know it yet
 * may be completing the pending run from before the approval: with another
 * state, that run is replaced, and not taken for the right one.
 */
function fingerprint({ pulls }: Verdict, withdrawn: WithdrawnApproval[], address: string): string {
  const judged = pulls.map(({ pull, approvals, rules }) => [
    pull.number,
    pull.base,
    isRuled(rules) ? rules.map(outcomeOf) : (approvals[0]?.id ?? null),
  ]);
  const ids = withdrawn.map(({ id }) => id).sort();
  // Without these as in earlier versions, so that an upgrade rewrites no completed run.
  return sha256Base64url(JSON.stringify(ids.length === 0 && !address ? judged : [judged, ids, address]));
}

const outcomeOf = ({ counted, ...outcome }: JudgedPull['rules'][number]) => ({
  ...outcome,
  counted: counted.map(({ id }) => id),
});

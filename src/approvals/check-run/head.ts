import type { Policy } from '../../contract/policy.ts';
import { AppError } from '../../shared/app-error.ts';
import { sha256Base64url } from '../../shared/crypto.ts';
import { addressIn } from '../../shared/links.ts';
import type { HeadDeps } from '../deps.ts';
import { type Grounds, type JudgedPull, judge, unmetRules, type Verdict } from '../judge/judge.ts';
import { readGrounds } from '../judge/read-grounds.ts';
import type {
  Approval,
  CheckRunContent,
  CheckRunRecord,
  HeadApprovals,
  HeadRef,
  OpenPull,
  PullRequest,
  SavedPulls,
  WithdrawnApproval,
} from '../ports.ts';
import { isAboutToGoStale, readRun, showsAlready } from './run.ts';
import { headContent } from './texts.ts';
import { createRun, type DesiredRun, giveUp, shownBy, type WriteOutcome, writeCheckRun } from './write.ts';

/** The head's run before GitHub was asked about pull requests, and when reading began. */
export type RunBefore = { run: CheckRunRecord | null; readFrom: Date };

/** A head as the caller has just read it. */
export type KnownHead = {
  /** The repository's open pull requests. */
  pulls: PullRequest[];
  /** The run that was read before them. Without it, these pull requests complete no run, because the run may be newer. */
  before?: RunBefore | undefined;
  /** What the record store says about the head, if it was read after the pull requests. */
  stored?: StoredHead | undefined;
};

/** Everything in the record store that a head is judged by, except its run. */
export type StoredHead = {
  approvals: HeadApprovals;
  saved: Pick<OpenPull, 'pr' | 'base'>[];
  policy: Policy;
};

export type SyncOptions = Pick<DesiredRun, 'replaceAttempt' | 'lookFirst' | 'isUrgent' | 'isAwaited'>;

/** A head, everything it's judged by, and what its run should show. */
type JudgedHead = RunBefore & {
  at: HeadRef;
  /** Whether the run was known before the pull requests were read. */
  canComplete: boolean;
  pulls: PullRequest[];
  approvals: Approval[];
  withdrawn: WithdrawnApproval[];
  grounds: Grounds;
  verdict: Verdict;
  content: CheckRunContent;
  fingerprint: string;
};

/** Each other process that writes the same head at the same moment can cost a round or two. */
const MOST_ROUNDS = 8;

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
  deps: HeadDeps,
  at: HeadRef,
  known?: KnownHead,
  options: SyncOptions = {},
): Promise<Verdict & { written: boolean }> {
  const fromCaller = known?.pulls.filter(({ open, head }) => open && head === at.head) ?? [];
  let written = false;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const head = await judgeHead(deps, at, round === 0 ? known : undefined, fromCaller);
    // A repository that the App can't see isn't closed, so its approvals stay unreported.
    if (!head) return { passed: false, pulls: [], written: false };
    const outcome = await showHead(deps, head, options);
    // If this was the head's first run, nobody else can have judged by it, so there is no need to look again.
    if (outcome === 'unchanged' || outcome === 'first') {
      await markReported(deps, head);
      return { ...head.verdict, written: written || outcome === 'first' };
    }
    written ||= outcome === 'written' || outcome === 'pending';
  }
  throw new AppError('githubUnavailable', { cause: new Error('the verdict changed with every look') });
}

/**
 * Creates the run of a head that has none yet, for an open pull request with it. Whatever else is open, a head's
 * first run waits, so no list has to come before it. The claim keeps a second process from creating another one.
 * Everything else is for `syncCheckRun`, which the caller calls next: it looks for what this couldn't know, and completes
 * the run if the head is approved already.
 *
 * @returns Whether the head had no run before and continues to wait, so that there's no success on it.
 * @throws AppError `githubUnavailable`, `storeUnavailable`.
 */
export async function createFirstRun(deps: HeadDeps, at: HeadRef, pull: PullRequest): Promise<boolean> {
  const before = { run: null, readFrom: deps.clock.now() };
  const [claim, head] = await Promise.all([
    // A head that has a run can't be claimed.
    deps.checkRunRecords.claim(at.repoId, at.head, 1),
    judgeHead(deps, at, { pulls: [pull], before }).catch((error: unknown) => ({ error })),
  ]);
  if (!claim) return false;
  if (!head || 'error' in head) {
    await giveUp(deps, claim, null);
    if (head) throw head.error;
    return false;
  }
  await createRun(deps, toDesired(head, {}), claim);
  return head.content.status === 'in_progress';
}

/**
 * Reads the run, then the pull requests and approvals, then the policy and what
 * its rules ask, and judges the head by them. Null if the App can't see the repository.
 *
 * @param fromCaller Pull requests that have this head, which GitHub's list may leave out.
 */
export async function judgeHead(
  deps: HeadDeps,
  at: HeadRef,
  known?: KnownHead,
  fromCaller: PullRequest[] = [],
): Promise<JudgedHead | null> {
  const readFrom = known?.before?.readFrom ?? deps.clock.now();
  const run = known?.before ? known.before.run : await readRun(deps, at);
  const [listed, { valid: approvals, withdrawn }, saved] = await Promise.all([
    known?.pulls ?? deps.pulls.listOpen(at.repo),
    known?.stored?.approvals ?? deps.approvals.ofHead(at.repoId, at.head),
    known?.stored?.saved ?? deps.openPulls.withHead(at.repoId, at.head),
  ]);
  if (!listed) return null;
  const expected = [
    ...approvals.filter(({ reported }) => !reported),
    ...withdrawn.filter(({ reported }) => !reported),
    ...fromCaller.map(({ number: pr, base }) => ({ pr, base })),
    ...saved,
  ];
  const pulls = await addUnlisted(deps, at, { listed, expected });
  // Another repository may have taken the name: its pull requests say nothing about this one.
  if (pulls.some((pull) => pull.repo.id !== at.repoId)) return null;
  const judged = pulls.filter((pull) => pull.open && pull.head === at.head);
  const policy = known?.stored?.policy;
  const grounds = await readGrounds(deps, { repo: at.repo, pulls: judged, approvals, policy });
  const verdict = judge({ head: at.head, pulls, approvals, grounds });
  const content = headContent(deps.origins, at.repo, verdict);
  const fingerprint = fingerprintOf(verdict, withdrawn, content);
  const canComplete = known === undefined || known.before !== undefined;
  return {
    at,
    run,
    readFrom,
    canComplete,
    pulls,
    approvals,
    withdrawn,
    grounds,
    verdict,
    content,
    fingerprint,
  };
}

/** A pull request that has this head, as far as we know, and its base branch if we know it. */
type Expected = { pr: number; base?: string };

/**
 * GitHub's list can lag or shift while its pages are read: what it leaves out
 * must not count as closed, and a base that it still shows may have been changed. So these pull requests are read
 * on their own if the list doesn't have them with this head and base: those with an unreported approval or
 * withdrawal, those the caller knows, and those that had this head at the last sync.
 */
async function addUnlisted(
  deps: HeadDeps,
  { repo, head }: HeadRef,
  { listed, expected }: { listed: PullRequest[]; expected: Expected[] },
): Promise<PullRequest[]> {
  const isListed = ({ pr, base }: Expected) =>
    listed.some((pull) => decideAlike(pull, { number: pr, open: true, head, base: base ?? pull.base }));
  const missing = new Set(expected.filter((one) => !isListed(one)).map(({ pr }) => pr));
  const found = await Promise.all([...missing].map((pr) => deps.pulls.get(repo, pr)));
  return found.filter((pull) => pull !== null).reduce(replacePull, listed);
}

type Decisive = Pick<PullRequest, 'number' | 'open' | 'head' | 'base'>;

/** Whether two readings of a pull request agree in everything that decides its check. */
export const decideAlike = (one: Decisive, other: Decisive): boolean =>
  one.number === other.number &&
  one.open === other.open &&
  one.head === other.head &&
  one.base === other.base;

/** The list with this pull request instead of its older version. */
export function replacePull(pulls: PullRequest[], pull: PullRequest): PullRequest[] {
  return [...pulls.filter(({ number }) => number !== pull.number), pull];
}

/** Whether GitHub shows the verdict, as far as we know, and everything about it is saved: a sync would write nothing. */
export function isInSync(deps: HeadDeps, head: JudgedHead, pulls: SavedPulls): boolean {
  const { run, approvals, withdrawn, grounds, verdict, content } = head;
  const now = deps.clock.now();
  if (!run || run.checkRunId === 0 || !showsAlready(run, shownBy(head), now)) return false;
  if (content.status !== 'completed' && isAboutToGoStale(run, now)) return false;
  if (![...approvals, ...withdrawn].every(({ reported }) => reported)) return false;
  return verdict.pulls.every((judged) =>
    pulls.isSaved(judged.pull.repo.ownerId, toOpenPull(judged, grounds)),
  );
}

/**
 * Writes the run that the verdict asks for, and doesn't look again afterwards: that's for `syncCheckRun`. A success is
 * written only after its pull requests are saved as approved.
 *
 * @returns `stale` if the run may only be completed by pull requests that are read after it.
 */
export async function showHead(
  deps: HeadDeps,
  head: JudgedHead,
  options: SyncOptions = {},
): Promise<WriteOutcome | 'stale'> {
  const { run, content, verdict } = head;
  const isShown = run !== null && showsAlready(run, shownBy(head), deps.clock.now());
  if (content.status === 'completed' && !head.canComplete && !isShown) return 'stale';
  if (verdict.pulls.length === 0 && !leavesWithdrawnGreen(head)) return 'unchanged';
  // The watch over green heads goes by the saved pull requests. A process that dies once GitHub shows a success can't save
  // them afterwards.
  if (content.conclusion === 'success' && !isShown) await saveOpenPulls(deps, verdict.pulls, head.grounds);
  return writeCheckRun(deps, toDesired(head, options));
}

/**
 * Nothing open has this head, but a pull request can be opened again, or pushed back to it, and merge on the withdrawn
 * success before we hear of it. A merge can't be taken back.
 */
function leavesWithdrawnGreen({ at, run, withdrawn, pulls }: JudgedHead): boolean {
  const isMerged = pulls.some((pull) => pull.head === at.head && pull.merged);
  return !isMerged && run?.mayBeGreen === true && withdrawn.some(({ reported }) => !reported);
}

function toDesired(head: JudgedHead, options: SyncOptions): DesiredRun {
  const { withdrawn, verdict } = head;
  return {
    ...head,
    ...options,
    isUrgent: options.isUrgent || withdrawn.some(({ reported }) => !reported),
    canWait: verdict.pulls.length === 0,
  };
}

/** GitHub shows the verdict now. */
async function markReported(
  deps: HeadDeps,
  { approvals, withdrawn, grounds, verdict }: JudgedHead,
): Promise<void> {
  await deps.approvals.markReported({ valid: approvals, withdrawn });
  // A failure is ignored: GitHub is up to date, and the next sync saves the pull requests again.
  await saveOpenPulls(deps, verdict.pulls, grounds).catch(() => undefined);
}

async function saveOpenPulls(deps: HeadDeps, judged: JudgedPull[], grounds: Grounds): Promise<void> {
  const [first] = judged;
  if (!first) return;
  const pulls = judged.map((one) => toOpenPull(one, grounds));
  await deps.openPulls.save(first.pull.repo.ownerId, pulls, deps.clock.now());
}

function toOpenPull(judged: JudgedPull, grounds: Grounds): OpenPull {
  const { pull, passed } = judged;
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
    lacks: unmetRules(judged, grounds),
  };
}

/**
 * Equal for two verdicts over the same pull requests, base branches, outcomes of rules and withdrawals. A withdrawal
 * counts because a writer that doesn't know it yet may be completing the pending run from before the approval: with
 * another fingerprint, that run is replaced, and not taken for the right one. A person follows the link of a waiting
 * run, so the run is outdated if its link is.
 */
function fingerprintOf(
  { pulls }: Verdict,
  withdrawn: WithdrawnApproval[],
  { status, detailsUrl }: CheckRunContent,
): string {
  const judged = pulls.map(({ pull, rules }) => [pull.number, pull.base, rules.map(outcomeOf)]);
  const address = status === 'completed' ? '' : addressIn(detailsUrl);
  return sha256Base64url(JSON.stringify([judged, withdrawn.map(({ id }) => id).sort(), address]));
}

const outcomeOf = ({ counted, ...outcome }: JudgedPull['rules'][number]) => ({
  ...outcome,
  counted: counted.map(({ id }) => id),
});

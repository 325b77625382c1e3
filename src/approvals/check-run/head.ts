import type { StoredPolicy } from '../../policies/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { sha256Base64url } from '../../shared/crypto.ts';
import { addressIn } from '../../shared/links.ts';
import type { HeadDeps } from '../deps.ts';
import {
  DEFAULT_GROUNDS,
  type Grounds,
  groundsOf,
  type JudgedPull,
  judge,
  lacksOf,
  type Verdict,
} from '../judge/judge.ts';
import { readGrounds, type SomePerson } from '../judge/read-grounds.ts';
import type {
  Approval,
  CheckRunContent,
  CheckRunRecord,
  Denial,
  HeadApprovals,
  HeadRef,
  OpenPull,
  PullRequest,
  SavedPulls,
  WithdrawnApproval,
} from '../ports.ts';
import { isAboutToGoStale, readRun, showsAlready } from './run.ts';
import { headContent } from './texts.ts';
import {
  createRun,
  type DesiredRun,
  giveUp,
  shownBy,
  type WriteOutcome,
  type WriteReason,
  writeCheckRun,
} from './write.ts';

/** An open pull request that had this head at its last sync. */
type SavedPull = Pick<OpenPull, 'pr' | 'base'>;

/** A pull request that has this head, as far as we know, and its base branch if we know it. */
type Expected = { pr: number; base?: string };

/** What the caller has just read of a head. Everything else is read now. */
export type HeadReading = {
  /** The repository's open pull requests. */
  pulls?: PullRequest[];
  /**
   * The head's run, which was read before the pull requests; null if it has none. A reading without it completes no run:
   * the run may be newer than the pull requests.
   */
  run?: CheckRunRecord | null | undefined;
  /** The time at which reading began. */
  readFrom?: Date;
  /** Pull requests with this head that GitHub's list may leave out. */
  expected?: Expected[];
  /** Everything in the record store that the head is judged by, except its run. */
  stored?: {
    approvals: HeadApprovals;
    saved: SavedPull[];
    policy: StoredPolicy;
  };
};

export type SyncOptions = Partial<Pick<DesiredRun, 'reason' | 'replaceAttempt' | 'checkpoint'>>;

/** A head, and everything it's judged by. */
export type ReadHead = {
  headRef: HeadRef;
  run: CheckRunRecord | null;
  readFrom: Date;
  /** True if the run was read before the pull requests. */
  mayComplete: boolean;
  pulls: PullRequest[];
  approvals: Approval[];
  denials: Denial[];
  withdrawn: WithdrawnApproval[];
  saved: SavedPull[];
  policy: StoredPolicy;
  grounds: Grounds;
};

/** A head, its verdict, and what its run should show. */
export type JudgedHead = ReadHead & { verdict: Verdict; content: CheckRunContent; fingerprint: string };

/** Each other process that writes the same head at the same moment can cost a round or two. */
const MOST_ROUNDS = 8;

/**
 * Makes GitHub show the truth about a head: one check run of ours, pending
 * until every open pull request with this head is approved. Reads the head,
 * judges it, writes the run, and looks again after each write, so that of two
 * concurrent writers the one with older knowledge corrects its own write. Any number
 * of processes may call it, for any event.
 *
 * @returns The verdict, and whether GitHub's run was changed.
 * @throws AppError `githubUnavailable`, `storeUnavailable`; calling again is safe.
 */
export async function syncCheckRun(
  deps: HeadDeps,
  headRef: HeadRef,
  reading: HeadReading = {},
  options: SyncOptions = {},
): Promise<Verdict & { written: boolean }> {
  const open = reading.pulls?.filter((pull) => pull.open && pull.head === headRef.head) ?? [];
  const expected = open.map(({ number: pr, base }) => ({ pr, base }));
  let written = false;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const head = await judgeHead(deps, headRef, round === 0 ? reading : { expected });
    // A repository that the App can't see isn't closed, so its approvals stay unreported.
    if (!head) return { passed: false, pulls: [], denials: [], written: false };
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
 * @param input.noted Ends when it's stored who pushed the head. Before that, GitHub is asked nothing.
 * @returns Whether the head had no run before and continues to wait, so that there's no success on it.
 * @throws AppError `githubUnavailable`, `storeUnavailable`.
 */
export async function createFirstRun(
  deps: HeadDeps,
  headRef: HeadRef,
  { pull, noted = Promise.resolve() }: { pull: PullRequest; noted?: Promise<void> },
): Promise<boolean> {
  const pushers: HeadDeps['pushers'] = { of: (...asked) => noted.then(() => deps.pushers.of(...asked)) };
  const judging = judgeHead({ ...deps, pushers }, headRef, { pulls: [pull], run: null });
  const [claim, head] = await Promise.all([
    // A head that has a run can't be claimed.
    deps.checkRunRecords.claim(headRef.repoId, headRef.head, 1),
    Promise.all([judging, noted]).then(
      ([judged]) => judged,
      (error: unknown) => ({ error }),
    ),
  ]);
  if (!claim) return false;
  if (!head || 'error' in head) {
    await giveUp(deps, claim, null);
    if (head) throw head.error;
    return false;
  }
  await createRun(deps, toDesired(deps, head, {}), claim);
  return head.content.status === 'in_progress';
}

/** Reads a head and judges it. Null if the App can't see the repository. */
export async function judgeHead(
  deps: HeadDeps,
  headRef: HeadRef,
  reading?: HeadReading,
): Promise<JudgedHead | null> {
  const head = await readHead(deps, headRef, reading);
  return head && judgeRead(deps, head);
}

/**
 * Reads the run, then the pull requests, the approvals and the policy, then what its rules ask. Null if the App can't
 * see the repository.
 *
 * @param person Someone whose approval the caller wants to judge before they give it.
 */
export async function readHead(
  deps: HeadDeps,
  headRef: HeadRef,
  reading: HeadReading = {},
  person?: SomePerson,
): Promise<ReadHead | null> {
  const { pulls: known, readFrom = deps.clock.now(), stored } = reading;
  const run = reading.run === undefined ? await readRun(deps, headRef) : reading.run;
  const ownerId = known?.[0]?.repo.ownerId;
  const [listed, { valid: approvals, denials, withdrawn }, saved, inForce] = await Promise.all([
    known ?? deps.pulls.listOpen(headRef.repo),
    stored?.approvals ?? deps.approvals.ofHead(headRef.repoId, headRef.head),
    stored?.saved ?? deps.openPulls.withHead(headRef.repoId, headRef.head),
    stored?.policy ?? (ownerId === undefined ? undefined : deps.policies.inForce(ownerId)),
  ]);
  if (!listed) return null;
  const expected = [
    ...[...approvals, ...denials, ...withdrawn].filter(({ reported }) => !reported),
    ...(reading.expected ?? []),
    ...saved,
  ];
  const pulls = await addUnlisted(deps, headRef, { listed, expected });
  // Another repository may have taken the name: its pull requests say nothing about this one.
  if (pulls.some((pull) => pull.repo.id !== headRef.repoId)) return null;
  const judged = pulls.filter((pull) => pull.open && pull.head === headRef.head);
  const [first] = judged;
  // The repository may have been transferred since the caller read its list.
  const isOfOwner = inForce && (!first || first.repo.ownerId === ownerId);
  const policy = isOfOwner ? inForce : await policyOf(deps, first);
  const grounds = await readGrounds(deps, {
    repo: headRef.repo,
    pulls: judged,
    approvals,
    policy: policy.policy,
    person,
  });
  const mayComplete = known === undefined || reading.run !== undefined;
  const given = { approvals, denials, withdrawn };
  return { headRef, run, readFrom, mayComplete, pulls, ...given, saved, policy, grounds };
}

/** The policy in force for a pull request. Without any, nothing is judged by it. */
const policyOf = async ({ policies }: HeadDeps, pull: PullRequest | undefined): Promise<StoredPolicy> =>
  pull ? policies.inForce(pull.repo.ownerId) : { policy: DEFAULT_GROUNDS.policy, number: 0 };

/** Judges a head as it was read, with these approvals of it. */
export function judgeRead(
  { origins }: Pick<HeadDeps, 'origins'>,
  head: ReadHead,
  approvals = head.approvals,
): JudgedHead {
  const { headRef, pulls, denials, withdrawn, grounds } = head;
  const verdict = judge({ head: headRef.head, pulls, approvals, denials, grounds });
  const content = headContent(origins, headRef.repo, verdict);
  return { ...head, approvals, verdict, content, fingerprint: fingerprintOf(verdict, withdrawn, content) };
}

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
  const unlisted = await Promise.all([...missing].map((pr) => deps.pulls.get(repo, pr)));
  return unlisted.filter((pull) => pull !== null).reduce(replacePull, listed);
}

type Decisive = Pick<PullRequest, 'number' | 'open' | 'head' | 'base'>;

/** Tells whether two readings of a pull request agree in everything that decides its check. */
export const decideAlike = (pull: Decisive, other: Decisive): boolean =>
  pull.number === other.number &&
  pull.open === other.open &&
  pull.head === other.head &&
  pull.base === other.base;

/** The list with this pull request instead of its older version. */
export function replacePull(pulls: PullRequest[], pull: PullRequest): PullRequest[] {
  return [...pulls.filter(({ number }) => number !== pull.number), pull];
}

/** Tells whether GitHub shows the verdict, as far as we know, and all about it is saved: a sync would write nothing. */
export function isInSync(deps: HeadDeps, head: JudgedHead, pulls: SavedPulls): boolean {
  const { run, approvals, denials, withdrawn, grounds, verdict, content } = head;
  const now = deps.clock.now();
  if (!run || run.checkRunId === null || !showsAlready(run, shownBy(head), now)) return false;
  if (content.status !== 'completed' && isAboutToGoStale(run, now)) return false;
  if (![...approvals, ...denials, ...withdrawn].every(({ reported }) => reported)) return false;
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
  if (content.conclusion === 'success' && !head.mayComplete && !isShown) return 'stale';
  if (verdict.pulls.length === 0 && !leavesWrongGreen(head)) return 'unchanged';
  return writeCheckRun(deps, toDesired(deps, head, options));
}

/**
 * Nothing open has this head, but a pull request can be opened again, or pushed back to it, and merge on a success that
 * was withdrawn or denied before we hear of it. A merge can't be taken back.
 */
function leavesWrongGreen({ headRef, run, denials, withdrawn, pulls }: ReadHead): boolean {
  const isMerged = pulls.some((pull) => pull.head === headRef.head && pull.merged);
  return (
    !isMerged && run?.mayBeGreen === true && [...denials, ...withdrawn].some(({ reported }) => !reported)
  );
}

function toDesired(deps: HeadDeps, head: JudgedHead, options: SyncOptions): DesiredRun {
  return {
    ...head,
    ...options,
    reason: reasonOf(head, options),
    beforeSuccess: () => saveAsPassing(deps, head),
  };
}

function reasonOf(
  { denials, withdrawn, verdict, content }: JudgedHead,
  { reason = 'webhook' }: SyncOptions,
): WriteReason {
  if (verdict.pulls.length === 0) return 'precaution';
  const isUnreported = [...denials, ...withdrawn].some(({ reported }) => !reported);
  const takesBack = content.conclusion !== 'success' && isUnreported;
  return takesBack ? 'withdrawal' : reason;
}

/** GitHub shows the verdict now. */
async function markReported(
  deps: HeadDeps,
  { approvals, denials, withdrawn, grounds, verdict }: JudgedHead,
): Promise<void> {
  await deps.approvals.markReported({ valid: approvals, denials, withdrawn });
  // A failure is ignored: GitHub is up to date, and the next sync saves the pull requests again.
  await saveOpenPulls(deps, verdict.pulls, grounds).catch(() => undefined);
}

/**
 * The watch over green heads goes by the saved pull requests. A process that dies once GitHub shows a success can't save
 * them afterwards.
 */
async function saveAsPassing(deps: HeadDeps, { verdict, grounds, saved }: JudgedHead): Promise<void> {
  const isSaved = verdict.pulls.every(({ pull }) => saved.some(({ pr }) => pr === pull.number));
  const pulls = verdict.pulls.map((judged) => toOpenPull(judged, grounds));
  if (!isSaved || !(await deps.openPulls.saveAgain(pulls, deps.clock.now())))
    await saveOpenPulls(deps, verdict.pulls, grounds);
}

async function saveOpenPulls(deps: HeadDeps, judged: JudgedPull[], grounds: Grounds): Promise<void> {
  const [first] = judged;
  if (!first) return;
  const pulls = judged.map((one) => toOpenPull(one, grounds));
  await deps.openPulls.save(first.pull.repo.ownerId, pulls, deps.clock.now());
}

function toOpenPull(judged: JudgedPull, grounds: Grounds): OpenPull {
  const { pull, passed, agents } = judged;
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
    ...lacksOf(judged, pull, groundsOf(pull, grounds)),
    agents,
  };
}

/**
 * Equal for two verdicts over the same pull requests, base branches, outcomes of rules, denials and withdrawals. A withdrawal
 * counts because a writer that doesn't know it yet may be completing the pending run from before the approval: with
 * another fingerprint, that run is replaced, and not taken for the right one. A person follows the link of a waiting
 * run, so the run is outdated if its link is.
 */
function fingerprintOf(
  { pulls, denials }: Verdict,
  withdrawn: WithdrawnApproval[],
  { status, detailsUrl }: CheckRunContent,
): string {
  const judged = pulls.map(({ pull, rules }) => [pull.number, pull.base, rules.map(outcomeOf)]);
  const address = status === 'completed' ? '' : addressIn(detailsUrl);
  const idsOf = (all: { id: string }[]) => all.map(({ id }) => id).sort();
  // Without a denial it's as it was before there were any, so that an upgrade rewrites no run.
  const denied = denials.length > 0 ? [idsOf(denials)] : [];
  return sha256Base64url(JSON.stringify([judged, idsOf(withdrawn), address, ...denied]));
}

const outcomeOf = ({ counted, ...outcome }: JudgedPull['rules'][number]) => ({
  ...outcome,
  counted: counted.map(({ id }) => id),
});

import pMap from 'p-map';
import PQueue from 'p-queue';
import type { Policy } from '../../contract/policy.ts';
import type { Organization } from '../../organizations/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { isInSync, judgeHead } from '../check-run/head.ts';
import { type ReconcileDeps, targetOf } from '../deps.ts';
import type { CheckRunRecord, HeadApprovals, HeadRef, PullRequest, SavedPulls, ShownRun } from '../ports.ts';
import { differs, repairDrift } from './repair-drift.ts';
import { isPassing } from './report-forged-check.ts';
import { type HeadSync, syncInstallation, trySyncCheckRun } from './sync-open-pulls.ts';
import { findChanges } from './watch-green-heads.ts';

/**
 * How often in a round GitHub's two APIs may disagree about a run. Asking again
 * costs a request for each head, so a round gives up if one of them is wrong.
 */
const MOST_DISAGREEMENTS = 20;

/**
 * About how many runs of pending heads that a list doesn't show are read one by one, in a round and for an installation.
 * GitHub allows 900 reads a minute and at least 5,000 an hour, and counts an unchanged one in the minute only.
 */
const MOST_READ = 1_000;
const CONCURRENCY = 8;
const ROUND_MS = 5 * 60_000;

/** A head whose run GitHub's list didn't show. */
type Hidden = { at: HeadRef; pulls: PullRequest[]; isGreen: boolean };

/**
 * Syncs a repository for a reconciliation: reads its pull requests together with
 * the runs on their heads, and repairs each run that differs from the known one.
 * Runs that the list doesn't show are read one by one: those of approved heads first, then a part of the others in turn.
 */
export function compareHeads(deps: ReconcileDeps): HeadSync {
  const shown = new Map<string, ShownRun | null>();
  const hidden = new Map<string, Hidden>();
  /** The reading of all hidden heads of an installation that aren't green, by its id. */
  const readings = new Map<number, Promise<void>>();
  /** The installations that may not read runs. */
  const refused = new Set<number>();
  const failed = new Set<string>();
  /** When each repository was read, by its id. */
  const readAt = new Map<number, Date>();
  /** What the record store says about each repository's heads, by its id. */
  const stored = new Map<number, StoredHeads>();
  let disagreements = 0;
  const giveUp = (error: unknown, repository: string) => deps.onSyncFailed(error, { repository });
  const keyOf = ({ repoId, head }: HeadRef) => `${repoId}:${head}`;
  const shownOn = (at: HeadRef) => shown.get(keyOf(at));

  const readRun = async (at: HeadRef): Promise<void> => {
    const { installation } = at.repo;
    if (refused.has(installation) || deps.isStopping?.()) return;
    if (deps.backgroundBudget.lowUntil(installation)) return;
    hidden.delete(keyOf(at));
    try {
      shown.set(keyOf(at), await deps.checkRuns.findNewest(at.repo, at.head));
    } catch (error) {
      if (isRefusal(error)) refused.add(installation);
      const { repository } = targetOf(at);
      if (!failed.has(repository)) giveUp(error, repository);
      failed.add(repository);
    }
  };

  /** A wrong success is taken away before the caller comes to heads that only wait. */
  const readOthers = async (installation: number): Promise<void> => {
    const all = [...hidden.values()].filter(({ at }) => at.repo.installation === installation);
    const turn = headsOfThisRound(all, deps.clock.now());
    await pMap(turn, ({ at }) => readRun(at), { concurrency: CONCURRENCY });
    for (const { at, pulls } of turn) {
      if (!isPassing(shownOn(at) ?? null) || deps.isStopping?.()) continue;
      await compare(at, pulls);
      // The caller comes to it again, and what was read is from before.
      shown.delete(keyOf(at));
    }
  };

  const compare = async (at: HeadRef, pulls: PullRequest[]): Promise<void> => {
    if (await isQuiet(deps, at, { pulls, run: shownOn(at), heads: stored.get(at.repoId) })) return;
    const isSuspect = await differsFrom(deps, at, shownOn(at)).catch((error: unknown) => {
      giveUp(error, targetOf(at).repository);
      return false;
    });
    if (!isSuspect || disagreements >= MOST_DISAGREEMENTS) {
      await trySyncCheckRun(deps, at, { pulls }, { lookFirst: true });
      return;
    }
    // Asks again, because GitHub's answer may be from before a write of ours.
    if (await repairDrift(deps, at, { pulls })) return;
    if (await isWrittenSince(deps, at, readAt.get(at.repoId))) return;
    disagreements += 1;
    if (disagreements === MOST_DISAGREEMENTS)
      giveUp(new Error("GitHub's APIs show different runs"), 'the comparison of runs');
  };

  return {
    isGreen: (at) => shownOn(at)?.conclusion === 'success' || Boolean(hidden.get(keyOf(at))?.isGreen),

    async read(repo) {
      const began = deps.clock.now();
      readAt.set(repo.id, began);
      const heads = await deps.openHeads.read(repo).catch((error: unknown) => {
        if (!isRefusal(error)) giveUp(error, `${repo.owner}/${repo.name}`);
        return undefined;
      });
      const pulls = heads === undefined ? await deps.pulls.listOpen(repo) : heads?.pulls;
      if (!pulls) return null;
      for (const [head, run] of heads?.runs ?? []) shown.set(`${repo.id}:${head}`, run);
      if (heads) await findChanges(deps, repo, { listed: heads.pulls, began });
      const [first] = pulls;
      if (first) stored.set(repo.id, await readStoredHeads(deps, first.repo, pulls));
      for (const { head } of pulls) {
        const at = { repo, repoId: repo.id, head };
        const isGreen = stored.get(repo.id)?.runs.get(head)?.phase === 'completed';
        if (!shown.has(keyOf(at))) hidden.set(keyOf(at), { at, pulls, isGreen });
      }
      return pulls;
    },

    async sync(at, pulls) {
      const found = hidden.get(keyOf(at));
      if (found?.isGreen) await readRun(at);
      else if (found) {
        const { installation } = at.repo;
        const reading = readings.get(installation) ?? readOthers(installation);
        readings.set(installation, reading);
        await reading;
      }
      await compare(at, pulls);
    },
  };
}

/** What the record store says about a repository's open heads, read in a few requests for all of them. */
type StoredHeads = {
  runs: Map<string, CheckRunRecord>;
  approvals: Map<string, HeadApprovals>;
  saved: SavedPulls;
  policy: Policy;
};

async function readStoredHeads(
  deps: ReconcileDeps,
  { id, ownerId }: PullRequest['repo'],
  pulls: PullRequest[],
): Promise<StoredHeads> {
  const heads = [...new Set(pulls.map(({ head }) => head))];
  const [runs, approvals, saved, { policy }] = await Promise.all([
    deps.checkRunRecords.latestOf(id, heads),
    deps.approvals.ofHeads(id, heads),
    deps.openPulls.readSaved(id),
    deps.policies.inForce(ownerId),
  ]);
  return { runs, approvals, saved, policy };
}

/** Whether GitHub shows what we know, and what we know is right: most heads of most rounds. A failure isn't quiet. */
async function isQuiet(
  deps: ReconcileDeps,
  at: HeadRef,
  {
    pulls,
    run,
    heads,
  }: { pulls: PullRequest[]; run: ShownRun | null | undefined; heads?: StoredHeads | undefined },
): Promise<boolean> {
  const approvals = heads?.approvals.get(at.head);
  const known = heads?.runs.get(at.head) ?? null;
  if (!heads || !approvals || !known || run === undefined || differs(run, known)) return false;
  const stored = { approvals, saved: heads.saved.withHead(at.head), policy: heads.policy };
  const before = { run: known, readFrom: deps.clock.now() };
  const head = await judgeHead(deps, at, { pulls, before, stored }).catch(() => null);
  return head !== null && isInSync(deps, head, heads.saved);
}

const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'permissionMissing';

/** The heads that our records call green, and the part of the others whose turn this round is. */
function headsOfThisRound(all: Hidden[], now: Date): Hidden[] {
  const parts = Math.ceil(all.filter(({ isGreen }) => !isGreen).length / MOST_READ);
  const round = Math.floor(now.getTime() / ROUND_MS);
  const isTurn = (head: string) => Number.parseInt(head.slice(0, 8), 16) % parts === round % parts;
  return all.filter(({ at, isGreen }) => isGreen || isTurn(at.head));
}

/** Whether somebody wrote the run after this time: GitHub's answer of then is about the run before. */
async function isWrittenSince(deps: ReconcileDeps, at: HeadRef, time = new Date(0)): Promise<boolean> {
  const known = await deps.checkRunRecords.latest(at.repoId, at.head);
  return known !== null && known.since > time;
}

async function differsFrom(
  deps: ReconcileDeps,
  at: HeadRef,
  run: ShownRun | null | undefined,
): Promise<boolean> {
  if (run === undefined) return false;
  return differs(run, await deps.checkRunRecords.latest(at.repoId, at.head));
}

/**
 * Judges every open head of an organization again in the background, after its policy
 * changed. One more round follows for all calls during a round. If it
 * fails or the process ends, the next reconciliation does the same.
 */
export function createJudgeAgain(deps: ReconcileDeps): (org: Organization) => void {
  const judgeAll = async (org: Organization) => {
    try {
      const installation = await deps.installations.get(org.installationId);
      if (installation) await syncInstallation(deps, installation, compareHeads(deps));
    } catch (error) {
      deps.onSyncFailed(error, { repository: `${org.name}/*` });
    }
  };
  /** The rounds of each organization, by its id on GitHub. */
  const rounds = new Map<number, PQueue>();
  return (org) => {
    const own = rounds.get(org.orgId) ?? new PQueue({ concurrency: 1 });
    rounds.set(org.orgId, own);
    // A round that hasn't begun yet will judge by this change too.
    if (own.size === 0) void own.add(() => judgeAll(org));
  };
}

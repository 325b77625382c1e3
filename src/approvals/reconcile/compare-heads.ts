import PQueue from 'p-queue';
import type { Policy } from '../../contract/policy.ts';
import type { Organization } from '../../organizations/ports.ts';
import { isInSync, judgeHead } from '../check-run/head.ts';
import type { ReconcileDeps } from '../deps.ts';
import type {
  CheckRunRecord,
  HeadApprovals,
  HeadRef,
  ListedPull,
  PullRequest,
  SavedPulls,
  ShownHeads,
  ShownRun,
} from '../ports.ts';
import { differs, repairDrift } from './repair-drift.ts';
import { type HeadSync, syncInstallation, trySyncCheckRun } from './sync-open-pulls.ts';
import { findChanges } from './watch-green-heads.ts';

/**
 * How often in a round GitHub's two APIs may disagree about a run. Asking again
 * costs a request for each head, so a round gives up if one of them is wrong.
 */
const MOST_DISAGREEMENTS = 20;

/**
 * Syncs a repository for a reconciliation: reads its pull requests together with
 * the runs on their heads, and repairs each run that differs from the known one.
 * Runs that GitHub doesn't show are a fault, and the next round compares them.
 */
export function compareHeads(deps: ReconcileDeps): HeadSync {
  const shown = new Map<string, ShownRun | null>();
  /** When each repository was read, by its id. */
  const readAt = new Map<number, Date>();
  /** What the record store says about each repository's heads, by its id. */
  const stored = new Map<number, StoredHeads>();
  let disagreements = 0;
  const giveUp = (error: unknown, repository: string) => deps.onSyncFailed(error, { repository });
  const shownOn = ({ repoId, head }: HeadRef) => shown.get(`${repoId}:${head}`);
  return {
    isGreen: (at) => shownOn(at)?.conclusion === 'success',

    async read(repo) {
      const name = `${repo.owner}/${repo.name}`;
      const began = deps.clock.now();
      readAt.set(repo.id, began);
      const heads = await deps.openHeads.read(repo).catch((error: unknown) => {
        giveUp(error, name);
        return undefined;
      });
      if (!heads) return heads === null ? null : deps.pulls.listOpen(repo);
      for (const [head, run] of heads.runs) shown.set(`${repo.id}:${head}`, run);
      if (lacksRuns(heads)) giveUp(new Error('GitHub says nothing about the runs on some heads'), name);
      await findChanges(deps, repo, { listed: heads.pulls, began });
      const [first] = heads.pulls;
      if (first) stored.set(repo.id, await readStoredHeads(deps, first.repo, heads.pulls));
      return heads.pulls;
    },

    async sync(at, pulls) {
      const run = shownOn(at);
      if (await isQuiet(deps, at, { pulls, run, heads: stored.get(at.repoId) })) return;
      const isSuspect = await differsFrom(deps, at, run).catch((error: unknown) => {
        giveUp(error, `${at.repo.owner}/${at.repo.name}`);
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

const lacksRuns = ({ pulls, runs }: ShownHeads) => pulls.some(({ head }: ListedPull) => !runs.has(head));

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

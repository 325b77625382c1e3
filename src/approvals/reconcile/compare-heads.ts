import pMap from 'p-map';
import type { Organization } from '../../organizations/ports.ts';
import type { StoredPolicy } from '../../policies/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { createQueues } from '../../shared/queues.ts';
import { attempt } from '../../shared/work.ts';
import { isInSync, judgeHead } from '../check-run/head.ts';
import type { CheckRunRecord, HeadApprovals, HeadRef, PullRequest, SavedPulls, ShownRun } from '../ports.ts';
import { targetOf } from '../sync-target.ts';
import type { ReconcileDeps } from './deps.ts';
import { differs, repairDrift } from './repair-drift.ts';
import { isPassing } from './report-forged-check.ts';
import { syncInstallation } from './sync-installation.ts';
import { type HeadSync, trySyncCheckRun } from './sync-open-pulls.ts';
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

/** What the record store says about a repository's open heads, read in a few requests for all of them. */
type StoredHeads = {
  /** Before GitHub was asked for the repository. */
  readFrom: Date;
  runs: Map<string, CheckRunRecord>;
  approvals: Map<string, HeadApprovals>;
  saved: SavedPulls;
  policy: StoredPolicy;
};

/** An open head. `run` is undefined if GitHub didn't show it, or only before the head was synced. */
type OpenHead = {
  headRef: HeadRef;
  pulls: PullRequest[];
  stored: StoredHeads;
  run: ShownRun | null | undefined;
};

const knownRun = ({ headRef, stored }: OpenHead) => stored.runs.get(headRef.head) ?? null;
/** Tells whether our records call it green. */
const isKnownGreen = (head: OpenHead) => {
  const run = knownRun(head);
  return run?.phase === 'completed' && run.mayBeGreen;
};

/**
 * Syncs a repository for a reconciliation: reads its pull requests together with
 * the runs on their heads, and repairs each run that differs from the known one.
 * Runs that the list doesn't show are read one by one: those of approved heads first, then a part of the others in turn.
 */
export function compareHeads(deps: ReconcileDeps): HeadSync {
  const heads = new Map<string, OpenHead>();
  /** The heads whose run the list didn't show, and that weren't read on their own yet. */
  const hidden = new Set<OpenHead>();
  /** The reading of all hidden heads of an installation that aren't green, by its id. */
  const readings = new Map<number, Promise<void>>();
  /** The installations that may not read runs. */
  const refused = new Set<number>();
  const failed = new Set<string>();
  let disagreements = 0;
  const giveUp = (error: unknown, repository: string) => deps.onSyncFailed(error, { repository });
  const keyOf = ({ repoId, head }: HeadRef) => `${repoId}:${head}`;

  const readRun = async (head: OpenHead): Promise<void> => {
    const { repo } = head.headRef;
    if (refused.has(repo.installation) || deps.isStopping?.()) return;
    if (deps.backgroundBudget.lowUntil(repo.installation)) return;
    hidden.delete(head);
    try {
      head.run = await deps.checkRuns.findNewest(repo, head.headRef.head);
    } catch (error) {
      if (isRefusal(error)) refused.add(repo.installation);
      const { repository } = targetOf({ repo });
      if (!failed.has(repository)) giveUp(error, repository);
      failed.add(repository);
    }
  };

  /** A wrong success is taken away before the caller comes to heads that only wait. */
  const readOthers = async (installation: number): Promise<void> => {
    const all = [...hidden].filter(({ headRef }) => headRef.repo.installation === installation);
    const turn = headsOfThisRound(all, deps.clock.now());
    await pMap(turn, readRun, { concurrency: CONCURRENCY });
    for (const head of turn) {
      if (!isPassing(head.run ?? null) || deps.isStopping?.()) continue;
      await compare(head);
      // The caller comes to it again, and what was read is from before.
      head.run = undefined;
    }
  };

  const compare = async (head: OpenHead): Promise<void> => {
    const { headRef, pulls, stored, run } = head;
    const isAsKnown = run !== undefined && !differs(run, knownRun(head));
    if (isAsKnown && (await isQuiet(deps, head))) return;
    if (isAsKnown || run === undefined || disagreements >= MOST_DISAGREEMENTS) {
      await trySyncCheckRun(deps, headRef, { pulls });
      return;
    }
    // Asks again, because GitHub's answer may be from before a write of ours.
    if (await repairDrift(deps, headRef, { pulls })) return;
    const now = await deps.checkRunRecords.latest(headRef.repoId, headRef.head);
    // A process wrote the run since then: GitHub's answer is about the run before.
    if (now && now.since > stored.readFrom) return;
    disagreements += 1;
    if (disagreements === MOST_DISAGREEMENTS)
      giveUp(new Error("GitHub's APIs show different runs"), 'the comparison of runs');
  };

  return {
    isGreen(headRef) {
      const head = heads.get(keyOf(headRef));
      if (!head) return false;
      return head.run?.conclusion === 'success' || (hidden.has(head) && isKnownGreen(head));
    },

    async read(repo) {
      const readFrom = deps.clock.now();
      const listed = await deps.openHeads.read(repo).catch((error: unknown) => {
        if (!isRefusal(error)) giveUp(error, `${repo.owner}/${repo.name}`);
        return undefined;
      });
      const pulls = listed === undefined ? await deps.pulls.listOpen(repo) : listed?.pulls;
      if (!pulls) return null;
      if (listed) await findChanges(deps, repo, { listed: listed.pulls, began: readFrom });
      const [first] = pulls;
      if (!first) return pulls;
      const all = new Set(pulls.map(({ head }) => head));
      const stored = { readFrom, ...(await readStoredHeads(deps, first.repo, [...all])) };
      for (const head of all) {
        const open = { headRef: { repo, repoId: repo.id, head }, pulls, stored, run: listed?.runs.get(head) };
        heads.set(keyOf(open.headRef), open);
        if (open.run === undefined) hidden.add(open);
      }
      return pulls;
    },

    async sync(headRef) {
      const head = heads.get(keyOf(headRef));
      if (!head) return;
      if (hidden.has(head) && isKnownGreen(head)) await readRun(head);
      else if (hidden.has(head)) {
        const { installation } = headRef.repo;
        const reading = readings.get(installation) ?? readOthers(installation);
        readings.set(installation, reading);
        await reading;
      }
      await compare(head);
    },
  };
}

async function readStoredHeads(
  deps: ReconcileDeps,
  { id, ownerId }: PullRequest['repo'],
  heads: string[],
): Promise<Omit<StoredHeads, 'readFrom'>> {
  const [runs, approvals, saved, policy] = await Promise.all([
    deps.checkRunRecords.latestOf(id, heads),
    deps.approvals.ofHeads(id, heads),
    deps.openPulls.readSaved(id),
    deps.policies.inForce(ownerId),
  ]);
  return { runs, approvals, saved, policy };
}

/** Tells whether our record of the head's run is right and saved: most heads of most rounds. A failure isn't quiet. */
async function isQuiet(deps: ReconcileDeps, head: OpenHead): Promise<boolean> {
  const { headRef, pulls, stored } = head;
  const run = knownRun(head);
  const approvals = stored.approvals.get(headRef.head);
  if (!run || !approvals) return false;
  const headRecords = { approvals, saved: stored.saved.withHead(headRef.head), policy: stored.policy };
  const judged = await judgeHead(deps, headRef, { pulls, run, stored: headRecords }).catch(() => null);
  return judged !== null && isInSync(deps, judged, stored.saved);
}

const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'permissionMissing';

/** The heads that our records call green, and the part of the others whose turn this round is. */
function headsOfThisRound(all: OpenHead[], now: Date): OpenHead[] {
  const parts = Math.ceil(all.filter((head) => !isKnownGreen(head)).length / MOST_READ);
  const round = Math.floor(now.getTime() / ROUND_MS);
  const isTurn = (head: string) => Number.parseInt(head.slice(0, 8), 16) % parts === round % parts;
  return all.filter((head) => isKnownGreen(head) || isTurn(head.headRef.head));
}

/**
 * Judges every open head of an organization again in the background, after its policy
 * changed. One more round follows for all calls during a round. If it
 * fails or the process ends, the next reconciliation does the same.
 *
 * @param judgeDeployments Does the same with the deployments that wait.
 */
export function createJudgeAgain(
  deps: ReconcileDeps,
  judgeDeployments: (org: Organization) => Promise<void>,
): (org: Organization) => void {
  const judgeAll = (org: Organization) =>
    attempt(deps, { repository: `${org.name}/*` }, async () => {
      await judgeDeployments(org);
      const installation = await deps.installations.get(org.installationId);
      if (installation) await syncInstallation(deps, installation, compareHeads(deps));
    });
  /** The rounds of each organization, by its id on GitHub. */
  const rounds = createQueues<number>(1);
  const waiting = new Set<number>();
  return (org) => {
    // A round that hasn't begun yet will judge by this change too.
    if (waiting.has(org.orgId)) return;
    waiting.add(org.orgId);
    void rounds.add(org.orgId, () => {
      waiting.delete(org.orgId);
      return judgeAll(org);
    });
  };
}

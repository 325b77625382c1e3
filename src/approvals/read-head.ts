import type { Checkpoint } from '../audit/ports.ts';
import { type CurrentRunDeps, currentRun } from './current-run.ts';
import type { Grounds } from './judge.ts';
import type {
  Approval,
  Approvals,
  CheckRunRecord,
  HeadRef,
  OpenPulls,
  PullRequest,
  PullRequests,
  WithdrawnApproval,
} from './ports.ts';
import { type GroundsDeps, readGrounds } from './read-grounds.ts';
import { readRecords, type StoredHead } from './read-known.ts';

export type ReadHeadDeps = CurrentRunDeps &
  GroundsDeps & {
    pulls: PullRequests;
    approvals: Approvals;
    openPulls: OpenPulls;
  };

/**
 * What the caller has just read, to save reading it again: the repository's
 * open pull requests; or also the head's run, if that was read *before* them, and when; and then perhaps what the store
 * has. A snapshot without the run never completes one, because the run may be newer.
 */
export type Snapshot =
  | { pulls: PullRequest[]; run?: never; stored?: never; checkpoint?: never }
  | {
      pulls: PullRequest[];
      run: CheckRunRecord | null;
      readFrom: Date;
      /** From before the approval that it has as its last was stored. */
      stored?: StoredHead | undefined;
      /** The log's newest. */
      checkpoint?: Checkpoint | undefined;
    };

/** Everything a head is judged by. */
export type Head = {
  run: CheckRunRecord | null;
  pulls: PullRequest[];
  approvals: Approval[];
  withdrawn: WithdrawnApproval[];
  grounds: Grounds;
  /** Whether the run was known before the pull requests were read. */
  canComplete: boolean;
  /** When reading it began. */
  readFrom: Date;
  /** The log's newest, if the caller knew it. */
  checkpoint: Checkpoint | undefined;
};

/**
 * Reads the run, then the pull requests and approvals, then the policy and what
 * its rules ask; null if the App can't see the repository.
 */
export async function readHead(
  deps: ReadHeadDeps,
  at: HeadRef,
  { snapshot, fromCaller }: { snapshot: Snapshot | undefined; fromCaller: number[] },
): Promise<Head | null> {
  const readFrom = snapshot?.run === undefined ? deps.clock.now() : snapshot.readFrom;
  const run = snapshot?.run === undefined ? await currentRun(deps, at) : snapshot.run;
  const ownerId = snapshot?.pulls[0]?.repo.ownerId;
  const { stored } = snapshot ?? {};
  const readPolicy = () => (ownerId === undefined ? undefined : deps.policies.inForce(ownerId));
  const [listed, { given: approvals, withdrawn, numbers }, inForce] = await Promise.all([
    snapshot?.pulls ?? deps.pulls.listOpen(at.repo),
    stored ?? readRecords(deps, at),
    stored?.inForce ?? readPolicy(),
  ]);
  if (!listed) return null;
  const unreported = [...approvals, ...withdrawn].filter(({ reported }) => !reported).map(({ pr }) => pr);
  const expected = [...unreported, ...fromCaller, ...numbers];
  const pulls = await addUnlisted(deps, at, { listed, expected });
  // Another repository may have taken the name: its pull requests say nothing about this one.
  if (pulls.some((pull) => pull.repo.id !== at.repoId)) return null;
  const judged = pulls.filter((pull) => pull.open && pull.head === at.head);
  const policy = judged[0]?.repo.ownerId === ownerId ? inForce?.policy : undefined;
  const grounds = await readGrounds(deps, { repo: at.repo, pulls: judged, approvals, policy });
  const canComplete = snapshot === undefined || snapshot.run !== undefined;
  const { checkpoint } = snapshot ?? {};
  return { run, pulls, approvals, withdrawn, grounds, canComplete, readFrom, checkpoint };
}

/**
 * GitHub's list can lag or shift while its pages are read, and what it leaves
 * out must not count as closed. So these pull requests are read on their own if
 * the list doesn't have them with this head: those with an unreported approval or withdrawal,
 * those the caller knows, and those that had this head at the last sync.
 */
async function addUnlisted(
  deps: ReadHeadDeps,
  { repo, head }: HeadRef,
  { listed, expected }: { listed: PullRequest[]; expected: number[] },
): Promise<PullRequest[]> {
  const isListed = (pr: number) => listed.some((pull) => pull.number === pr && pull.head === head);
  const missing = [...new Set(expected)].filter((pr) => !isListed(pr));
  const found = await Promise.all(missing.map((pr) => deps.pulls.get(repo, pr)));
  return found.filter((pull) => pull !== null).reduce(replacePull, listed);
}

/** The list with this pull request in the place of its older version. */
export function replacePull(pulls: PullRequest[], pull: PullRequest): PullRequest[] {
  return [...pulls.filter(({ number }) => number !== pull.number), pull];
}

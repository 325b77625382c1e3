import { judgeNow } from '../../approvals/judge/read-grounds.ts';
import type { PullRequest } from '../../approvals/ports.ts';
import type { RepositoryRef } from '../../organizations/ports.ts';
import type { KnownPeople } from '../../policies/details.ts';
import type { DeploymentDeps } from '../deps.ts';
import type { WorkflowRun } from '../ports.ts';

/** A commit can be in more merged pull requests, and each costs a request. */
const MOST_PULLS = 3;
/** GitHub lists no more on a page. */
const MOST_LISTED = 100;

/** Where a run's commit came from. */
export type Origin = {
  /** The merged pull request that brought it in; the one into the run's own ref, if there are several. Null if none is known. */
  pull: PullRequest | null;
  /** False if GitHub doesn't say whether there is one. */
  isKnown: boolean;
  /** Who opened the other merged pull requests with the commit. Any can have brought it in, and anybody can open more. */
  others: KnownPeople;
  /** When it was merged into the run's ref. Null if it wasn't, or if the commit isn't its head or merge commit. */
  mergedAt: Date | null;
};

/** Reads which pull request brought a run's commit in. @throws AppError `githubUnavailable`. */
export async function readOrigin(
  deps: DeploymentDeps,
  repo: RepositoryRef,
  { head, ref, repoId }: WorkflowRun,
): Promise<Origin> {
  const listed = await deps.commitPulls.ofCommit(repo, head);
  const merged = listed?.filter((pull) => pull.merged) ?? null;
  const reading = merged?.slice(0, MOST_PULLS).map(({ number }) => deps.pulls.get(repo, number));
  const found = await Promise.all(reading ?? []);
  const all = found.flatMap((pull) => (pull?.merged && pull.repo.id === repoId ? [pull] : []));
  const into = all.find((pull) => pull.base === ref && (pull.head === head || pull.mergeCommit === head));
  const pull = into ?? all[0] ?? null;
  // A pull request that GitHub lists and doesn't show is an unknown one.
  const isKnown = merged !== null && (pull !== null || merged.length === 0);
  const openers = (merged ?? []).filter(({ number }) => number !== pull?.number).map(({ author }) => author);
  const others = {
    people: openers.filter((opener) => opener !== null),
    areAllKnown: !openers.includes(null) && (listed?.length ?? 0) < MOST_LISTED,
  };
  return { pull, isKnown, others, mergedAt: into?.mergedAt ?? null };
}

/** When the commit was merged with every approval that its pull request needs, as it's judged now; null if it wasn't. */
export async function approvedMerge(
  deps: DeploymentDeps,
  repo: RepositoryRef,
  { pull, mergedAt }: Origin,
): Promise<Date | null> {
  if (!pull || !mergedAt) return null;
  return (await judgeNow(deps, { repo, pull })).passed ? mergedAt : null;
}

import type { KnownRepository } from '../../organizations/ports.ts';
import { attempt, inTurn } from '../../shared/work.ts';
import { type HeadReading, type SyncOptions, syncCheckRun } from '../check-run/head.ts';
import type { HeadDeps } from '../deps.ts';
import type { HeadRef, PullRequest } from '../ports.ts';
import { targetOf } from '../sync-target.ts';
import { logUnapprovedMerge } from './log-unapproved-merge.ts';

/** Syncs a head's check run. A failure goes to `onSyncFailed`, and the caller continues. */
export async function trySyncCheckRun(
  deps: HeadDeps,
  headRef: HeadRef,
  reading?: HeadReading,
  options: SyncOptions = {},
): Promise<void> {
  const target = targetOf(headRef);
  await attempt(deps, target, async () => {
    const { written } = await syncCheckRun(deps, headRef, reading, { reason: 'repair', ...options });
    if (written) deps.onRepaired(target);
  });
}

/** Removes pull requests that are no longer open, and checks how they ended: that webhook may be lost. */
export async function removeClosedPulls(
  deps: HeadDeps,
  repo: KnownRepository,
  open: PullRequest[],
): Promise<void> {
  const listed = new Set(open.map(({ number }) => number));
  await inTurn(await deps.openPulls.ofRepository(repo.id), async ({ pr: number }) => {
    if (listed.has(number)) return;
    const pull = await deps.pulls.get(repo, number);
    // The list can lag behind. A pull request that we forget while it's open is missing when its head is judged.
    if (pull?.open) return;
    if (pull) await logUnapprovedMerge(deps, pull);
    await deps.openPulls.remove(repo.id, number);
  });
}

/** Reads a repository's open pull requests, and syncs each of their heads. */
export type HeadSync = {
  /** Null if the installation can't see the repository. */
  read(repo: KnownRepository): Promise<PullRequest[] | null>;
  sync(headRef: HeadRef, pulls: PullRequest[]): Promise<void>;
  /** Tells whether GitHub shows a success on the head, as far as `read` found out. */
  isGreen?(headRef: HeadRef): boolean;
};

export const plainSync = (deps: HeadDeps): HeadSync => ({
  read: deps.pulls.listOpen.bind(deps.pulls),
  sync: (headRef, pulls) => trySyncCheckRun(deps, headRef, { pulls }),
});

/** Syncs the check runs of all open pull requests of a repository, and removes closed ones. */
export async function syncRepository(
  deps: HeadDeps,
  repo: KnownRepository,
  headSync: HeadSync = plainSync(deps),
): Promise<void> {
  const syncOthers = await syncGreenHeads(deps, repo, headSync);
  await syncOthers();
}

/**
 * Reads a repository, and syncs the heads that are green on GitHub: a pending head can wait, but a wrong green can
 * merge. Each write may have to wait for GitHub's limits, so these heads of all repositories come before any other head.
 *
 * @returns Syncs the other heads.
 */
export async function syncGreenHeads(
  deps: HeadDeps,
  repo: KnownRepository,
  { read, sync, isGreen = () => false }: HeadSync,
): Promise<() => Promise<void>> {
  const unlessStopping = <T>(work: () => Promise<T>) =>
    attempt(deps, targetOf({ repo }), async () => (deps.isStopping?.() ? null : work()));
  const syncAll = async (heads: HeadRef[], pulls: PullRequest[]) => {
    for (const headRef of heads) if (!deps.isStopping?.()) await sync(headRef, pulls);
  };
  const reading = await unlessStopping(async () => {
    const pulls = await read(repo);
    if (!pulls) return null;
    const heads = [...new Set(pulls.map(({ head }) => head))].map((head) => ({
      repo,
      repoId: repo.id,
      head,
    }));
    await syncAll(heads.filter(isGreen), pulls);
    return { pulls, others: heads.filter((headRef) => !isGreen(headRef)) };
  });
  return async () => {
    if (!reading) return;
    await unlessStopping(async () => {
      await syncAll(reading.others, reading.pulls);
      if (!deps.isStopping?.()) await removeClosedPulls(deps, repo, reading.pulls);
    });
  };
}

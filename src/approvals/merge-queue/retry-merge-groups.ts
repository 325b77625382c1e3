import { elapsed } from '../../shared/clock.ts';
import type { KnownGroup } from '../ports.ts';
import type { RetryPauses } from '../reconcile/retry-unreported.ts';
import { GROUP_WAITS_MS } from './judge-merge-group.ts';
import { type MergeGroupDeps, syncMergeGroup } from './merge-group.ts';

const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** After this time GitHub no longer waits for the group's check. */
const GIVEN_UP_AFTER_MS = 2 * GROUP_WAITS_MS;

/**
 * Judges the groups again that wait, or whose verdict GitHub doesn't show yet,
 * oldest first. After growing pauses, because each look costs requests; at once
 * if the group before has a verdict by now.
 */
export async function retryMergeGroups(deps: MergeGroupDeps, pauses: RetryPauses): Promise<void> {
  const now = deps.clock.now().getTime();
  const groups = await deps.mergeGroups.unfinished();
  const keys = new Set(groups.map(keyOf));
  for (const key of pauses.keys()) if (!keys.has(key)) pauses.delete(key);
  for (const group of groups) {
    if (now - group.since.getTime() >= GIVEN_UP_AFTER_MS) {
      await deps.mergeGroups.finish(group.repoId, group.head);
      continue;
    }
    const pause = pauses.get(keyOf(group));
    if (pause && pause.until > elapsed(deps.clock) && !(await isBaseJudged(deps, group))) continue;
    const ms = pause ? Math.min(pause.ms * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
    pauses.set(keyOf(group), { until: elapsed(deps.clock) + ms, ms });
    const repository = `${group.repo.owner}/${group.repo.name}`;
    await syncMergeGroup(deps, group.repo, group).catch((error: unknown) =>
      deps.onSyncFailed(error, { repository, head: group.head }),
    );
  }
}

const keyOf = ({ repoId, head }: KnownGroup) => `${repoId}:${head}`;

async function isBaseJudged(deps: MergeGroupDeps, { repoId, baseSha }: KnownGroup): Promise<boolean> {
  const before = await deps.mergeGroups.find(repoId, baseSha);
  return before !== null && before.verdict !== 'waiting';
}

import { attempt } from '../../shared/work.ts';
import { GROUP_WAITS_MS } from '../merge-queue/judge-merge-group.ts';
import { syncMergeGroup } from '../merge-queue/merge-group.ts';
import type { KnownGroup } from '../ports.ts';
import { targetOf } from '../sync-target.ts';
import type { ReconcileDeps } from './deps.ts';
import { isPassing, reportForgedCheck } from './report-forged-check.ts';

/** A queue can still wait for a group this long, or may just have merged it. */
const ALIVE_MS = 2 * GROUP_WAITS_MS;
/** Each compared group costs a request. */
const MOST_COMPARED = 20;

/**
 * Compares the newest groups of merge queues that didn't pass with what GitHub
 * shows on them. A success there is none of ours: it's reported, and replaced.
 */
export async function compareGroups(deps: ReconcileDeps): Promise<void> {
  const groups = await deps.mergeGroups.since(new Date(deps.clock.now().getTime() - ALIVE_MS));
  const unpassed = groups.filter(({ verdict }) => verdict !== 'passed');
  for (const group of unpassed.slice(0, MOST_COMPARED))
    await attempt(deps, targetOf(group), () => compareGroup(deps, group));
}

async function compareGroup(deps: ReconcileDeps, { repo, ...group }: KnownGroup): Promise<void> {
  const { repoId, head, pr } = group;
  const headRef = { repo, repoId, head };
  const shown = await deps.checkRuns.findNewest(repo, head);
  if (!shown || !isPassing(shown)) return;
  // Read after the run: it may have passed since.
  if ((await deps.mergeGroups.find(repoId, head))?.verdict === 'passed') return;
  // Taking green away must not depend on the alert.
  await attempt(deps, targetOf(headRef), () =>
    reportForgedCheck(deps, headRef, shown, () => deps.pulls.get(repo, pr)),
  );
  const record = await deps.checkRunRecords.latest(repoId, head);
  // A run that is being created will be newer.
  const replaceAttempt = record?.checkRunId != null ? record.attempt : undefined;
  await syncMergeGroup(deps, repo, group, { replaceAttempt, reason: 'withdrawal' });
}

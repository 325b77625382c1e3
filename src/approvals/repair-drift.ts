import { createExpiringMap } from '../expiring-map.ts';
import type { CheckRunRecord, GitHubRun, HeadRef } from './ports.ts';
import { type SyncPullsDeps, trySyncCheckRun } from './sync-open-pulls.ts';

/**
 * Compares the run that GitHub shows on a head with the one in the store, and
 * replaces it if they differ: a webhook about a requested re-run was lost, or
 * GitHub marked the run as stale, for which it sends no webhook.
 */
export async function repairDrift(deps: SyncPullsDeps, at: HeadRef): Promise<void> {
  try {
    const known = await deps.checkRunRecords.latest(at.repoId, at.head);
    // A run that is being created, or was given up, is handled by syncing the head.
    if (!known || known.checkRunId === 0) return await trySyncCheckRun(deps, at);
    const shown = await deps.checkRuns.findNewest(at.repo, at.head);
    const options = matchesRecord(shown, known) ? {} : { replaceAttempt: known.attempt };
    await trySyncCheckRun(deps, at, undefined, options);
  } catch (error) {
    deps.onSyncFailed(error, { repository: `${at.repo.owner}/${at.repo.name}`, head: at.head });
  }
}

/** Compares the heads that were compared least recently. */
export async function repairOldest(deps: SyncPullsDeps, most: number): Promise<void> {
  for (const at of await deps.openPulls.takeLeastRecentlyCompared(most, deps.clock.now())) {
    await repairDrift(deps, at);
  }
}

function matchesRecord(shown: GitHubRun | null, known: CheckRunRecord): boolean {
  if (shown?.id !== known.checkRunId) return false;
  const isCompleted = known.state.startsWith('completed');
  return isCompleted ? shown.conclusion === 'success' : shown.status === 'in_progress';
}

const ONCE_IN_MS = 60_000;

/** For a head that somebody is looking at: repairs its run in the background, at most once a minute. */
export function createRecheckRun(deps: SyncPullsDeps): (at: HeadRef) => void {
  const recent = createExpiringMap<true>(deps.clock);
  return (at) => {
    const key = `${at.repoId}:${at.head}`;
    if (recent.get(key)) return;
    recent.set(key, true, ONCE_IN_MS);
    void repairDrift(deps, at);
  };
}

import { elapsed } from '../../shared/clock.ts';
import { locateRepository } from './locate-repository.ts';
import { type SyncPullsDeps, trySyncCheckRun } from './sync-open-pulls.ts';

const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** When each unreported head is tried next, by `elapsed`. */
export type RetryPauses = Map<string, { until: number; ms: number }>;

/**
 * Updates GitHub for approvals that it doesn't show yet, after a crash or an
 * outage. A head that keeps failing is tried after growing pauses.
 *
 * @param firstPauseMs The pause after the first failure; each further failure doubles it.
 */
export async function retryUnreported(
  deps: SyncPullsDeps,
  pauses: RetryPauses,
  firstPauseMs = FIRST_PAUSE_MS,
): Promise<void> {
  const now = elapsed(deps.clock);
  const heads = await deps.approvals.unreportedHeads();
  const keys = new Set(heads.map(({ repoId, head }) => `${repoId}:${head}`));
  for (const key of pauses.keys()) if (!keys.has(key)) pauses.delete(key);
  for (const { repo, repoId, head, orgId } of heads) {
    if (deps.isStopping?.()) return;
    const key = `${repoId}:${head}`;
    const before = pauses.get(key);
    if (before && before.until > now) continue;
    const ms = before ? Math.min(before.ms * 2, LONGEST_PAUSE_MS) : firstPauseMs;
    pauses.set(key, { until: now + ms, ms });
    const current = await locateRepository(deps, { repo, repoId, orgId });
    await trySyncCheckRun(deps, { repo: current, repoId, head });
  }
}

import { reportOrTell, type TrackDeps } from './track.ts';

const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** When each head that is owed is tried next. */
export type Pauses = Map<string, { until: number; ms: number }>;

/**
 * Reports the approvals that GitHub has not heard of: after a crash or an
 * outage. A head that goes on failing is tried after growing pauses.
 *
 * @param firstPauseMs After the first failure; each further one doubles it.
 */
export async function reportOwed(
  deps: TrackDeps,
  pauses: Pauses,
  firstPauseMs = FIRST_PAUSE_MS,
): Promise<void> {
  const now = deps.clock.now().getTime();
  const owed = await deps.approvals.unreported();
  const keys = new Set(owed.map(({ repoId, head }) => `${repoId}:${head}`));
  for (const key of pauses.keys()) if (!keys.has(key)) pauses.delete(key);
  for (const { repo, repoId, head } of owed) {
    const key = `${repoId}:${head}`;
    const before = pauses.get(key);
    if (before && before.until > now) continue;
    const ms = before ? Math.min(before.ms * 2, LONGEST_PAUSE_MS) : firstPauseMs;
    pauses.set(key, { until: now + ms, ms });
    await reportOrTell(deps, { repo, repoId, head });
  }
}

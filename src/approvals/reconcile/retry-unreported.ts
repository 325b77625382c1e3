import type { HeadDeps } from '../deps.ts';
import { type RetryPauses, retryHeads } from '../retry-heads.ts';
import { type StoredHead, trySyncStored } from './sync-stored-head.ts';

const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** Updates GitHub for approvals that it doesn't show yet, after a crash or an outage. */
export async function retryUnreported(
  deps: HeadDeps,
  pauses: RetryPauses,
  firstMs = FIRST_PAUSE_MS,
): Promise<void> {
  const retry = (stored: StoredHead) => trySyncStored(deps, stored);
  const heads = await deps.approvals.unreportedHeads();
  await retryHeads(deps, pauses, heads, { firstMs, longestMs: LONGEST_PAUSE_MS, retry });
}

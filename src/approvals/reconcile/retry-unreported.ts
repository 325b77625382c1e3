import type { HeadDeps } from '../deps.ts';
import { RETRY_PAUSES, type RetryPauses, retryHeads } from '../retry-heads.ts';
import { type StoredHead, trySyncStored } from './sync-stored-head.ts';

/** Updates GitHub for approvals that it doesn't show yet, after a crash or an outage. */
export async function retryUnreported(
  deps: HeadDeps,
  pauses: RetryPauses,
  firstMs = RETRY_PAUSES.firstMs,
): Promise<void> {
  const retry = (stored: StoredHead) => trySyncStored(deps, stored);
  const heads = await deps.approvals.unreportedHeads();
  await retryHeads(deps, pauses, heads, { ...RETRY_PAUSES, firstMs, retry });
}

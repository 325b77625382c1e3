import { elapsed } from '../shared/clock.ts';
import { inTurn } from '../shared/work.ts';
import type { HeadDeps } from './deps.ts';

/** The time of the next try for each head, by `elapsed`. */
export type RetryPauses = Map<string, { until: number; ms: number }>;

/** The first and the longest pause before GitHub is updated again. */
export const RETRY_PAUSES = { firstMs: 15_000, longestMs: 15 * 60_000 };

/** One of several records of a head has an id. */
type Retried = { repoId: number; head: string; id?: string };

/**
 * Tries these heads again, in their order. A head that keeps failing is tried after growing pauses.
 *
 * @throws The first failure, after each head had its turn.
 *
 * @param how.firstMs The pause after the first try; each further try doubles it.
 * @param how.isDue Ends a pause early.
 */
export async function retryHeads<Head extends Retried>(
  { clock, isStopping }: Pick<HeadDeps, 'clock' | 'isStopping'>,
  pauses: RetryPauses,
  heads: Head[],
  how: {
    firstMs: number;
    longestMs: number;
    isDue?(head: Head): Promise<boolean>;
    retry(head: Head): Promise<void>;
  },
): Promise<void> {
  const keyOf = ({ repoId, head, id = '' }: Head) => `${repoId}:${head}:${id}`;
  const keys = new Set(heads.map(keyOf));
  for (const key of pauses.keys()) if (!keys.has(key)) pauses.delete(key);
  await inTurn(heads, async (head) => {
    if (isStopping?.()) return;
    const now = elapsed(clock);
    const before = pauses.get(keyOf(head));
    if (before && before.until > now && !(await how.isDue?.(head))) return;
    const ms = before ? Math.min(before.ms * 2, how.longestMs) : how.firstMs;
    pauses.set(keyOf(head), { until: now + ms, ms });
    await how.retry(head);
  });
}

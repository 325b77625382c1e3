import { AppError } from './app-error.ts';
import type { Clock } from './clock.ts';

/** A limit on how often something may happen in a period, shared by all processes. */
export type Quota = {
  /** Takes one of `most` slots for `ms`. Returns the time when the next slot is free if all are taken. */
  take(key: string, rule: { most: number; ms: number }, now: Date): Promise<QuotaSlot | Date>;
};

/** A taken slot. Release it if the work it was taken for failed. */
export type QuotaSlot = { release(): Promise<void> };

/**
 * Takes one of `most` slots for `ms`, before the work that it limits.
 *
 * @throws AppError `tooManyRequests`, with the seconds until the next slot is free.
 */
export async function takeSlot(
  { quota, clock }: { quota: Quota; clock: Clock },
  key: string,
  rule: { most: number; ms: number },
): Promise<void> {
  const now = clock.now();
  const slot = await quota.take(key, rule, now);
  if (!(slot instanceof Date)) return;
  const retryAfter = Math.max(1, Math.ceil((slot.getTime() - now.getTime()) / 1000));
  throw new AppError('tooManyRequests', { retryAfter });
}

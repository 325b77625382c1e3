import { type Clock, elapsed } from '../shared/clock.ts';
import { createExpiringMap } from '../shared/expiring-map.ts';
import type { WaitingPull, WaitingPulls } from './ports.ts';

/** A list is read again after this time even if nothing in it seems to have changed. */
const KEPT_MS = 10 * 60_000;
/** Up to this length a list is compared at each call. */
const SHORT = 500;
/** A longer list isn't looked at again for this time for each of its pull requests: 30 seconds for 10,000. */
const TRUSTED_MS_EACH = 3;

/** The most pull requests of an organization that are read, longest waiting first: one read takes two seconds. */
export const MOST_WAITING = 10_000;

type Kept = { change: string; pulls: WaitingPull[]; end: string | null; trustedUntil: number };

/** The pull requests that wait longest in an organization, in this order, at most `most` of them. */
export type WaitingLists = { of(orgRecordId: string, most: number): Promise<WaitingPull[]> };

/**
 * Keeps each list while it doesn't change, for all of the organization's people
 * together. So who asks twice a minute costs two small reads, even in an
 * organization in which a million pull requests wait.
 */
export function createWaitingLists(deps: {
  waitingPulls: Pick<WaitingPulls, 'newestChange' | 'count' | 'list'>;
  clock: Clock;
}): WaitingLists {
  const kept = createExpiringMap<Kept>(deps.clock);
  const reading = new Map<string, Promise<WaitingPull[]>>();

  const read = async (key: string, orgRecordId: string, most: number): Promise<WaitingPull[]> => {
    const { waitingPulls } = deps;
    const before = kept.get(key);
    const now = elapsed(deps.clock);
    if (before && now < before.trustedUntil) return before.pulls;
    // Before the list: a change in between shows as another one the next time.
    const [change, count] = await Promise.all([
      waitingPulls.newestChange(orgRecordId),
      before && waitingPulls.count(orgRecordId, before.end),
    ]);
    // A pull request that no longer waits leaves a shorter list. Nothing else can happen to it.
    if (before?.change === change && before.pulls.length === count) return before.pulls;
    const { pulls, end } = await waitingPulls.list(orgRecordId, most);
    const trustedUntil = pulls.length > SHORT ? now + TRUSTED_MS_EACH * pulls.length : 0;
    kept.set(key, { change, pulls, end, trustedUntil }, KEPT_MS);
    return pulls;
  };

  return {
    of(orgRecordId, most) {
      const key = `${orgRecordId}:${most}`;
      const running = reading.get(key) ?? read(key, orgRecordId, most);
      reading.set(key, running);
      return running.finally(() => reading.delete(key));
    },
  };
}

import type { Clock } from '../clock.ts';
import { createExpiringMap } from '../expiring-map.ts';
import type { WaitingPull, WaitingPulls } from './ports.ts';

/** A list is read again after this time even if its version says that nothing changed. */
const KEPT_MS = 10 * 60_000;
/** Up to this length a list's version is compared at each call. */
const SHORT = 500;
/** A longer list isn't looked at again for this time for each of its pull requests: 30 seconds for 10,000. */
const TRUSTED_MS_EACH = 3;

type Kept = { version: string; pulls: WaitingPull[]; trustedUntil: number };

/** The pull requests that wait in an organization, longest waiting first. */
export type WaitingLists = { of(orgRecordId: string): Promise<WaitingPull[]> };

/**
 * Keeps each list while it doesn't change, for all of the organization's people
 * together. So who asks twice a minute costs one small read, even in an
 * organization in which 10,000 pull requests wait.
 */
export function createWaitingLists(deps: {
  waitingPulls: Pick<WaitingPulls, 'version' | 'list'>;
  clock: Clock;
}): WaitingLists {
  const kept = createExpiringMap<Kept>(deps.clock);
  const reading = new Map<string, Promise<WaitingPull[]>>();

  const read = async (orgRecordId: string): Promise<WaitingPull[]> => {
    const before = kept.get(orgRecordId);
    const now = deps.clock.now().getTime();
    if (before && now < before.trustedUntil) return before.pulls;
    // Before the list: a change in between shows as another version the next time.
    const version = await deps.waitingPulls.version(orgRecordId);
    if (before?.version === version) return before.pulls;
    const pulls = await deps.waitingPulls.list(orgRecordId);
    const trustedUntil = pulls.length > SHORT ? now + TRUSTED_MS_EACH * pulls.length : 0;
    kept.set(orgRecordId, { version, pulls, trustedUntil }, KEPT_MS);
    return pulls;
  };

  return {
    of(orgRecordId) {
      const running = reading.get(orgRecordId) ?? read(orgRecordId);
      reading.set(orgRecordId, running);
      return running.finally(() => reading.delete(orgRecordId));
    },
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import { oneAtATime } from '../../../shared/work.ts';
import { type StoreClient, storeTime } from '../client.ts';
import { recordsOf } from './records-of.ts';

/**
 * A lease is held for one period of this length at a time. So another process takes over at most two periods after the
 * holder was killed.
 */
const PERIOD_MS = 10_000;
const KEPT_MS = 60 * 60 * 1000;

/** Work that one of all processes over this record store does at a time. */
export type Lease = ReturnType<typeof createLease>;

/**
 * Time is cut into periods, and a process holds a lease in a period if it created the key of that period: the unique
 * index lets one succeed. The holder creates the next period's key before that begins. Nothing is ever changed, so a
 * slow request can't take a lease back. Clocks that differ by some seconds only let two processes work simultaneously
 * for that long, which all this work can bear.
 */
export function createLeases(client: StoreClient, periodMs = PERIOD_MS) {
  const open = new Set<Lease>();
  let hasEnded = false;
  const openLease = (name: string): Lease => {
    const lease = createLease(client, name, periodMs);
    open.add(lease);
    return lease;
  };
  return {
    open: openLease,

    /** Does `work` while holding the lease; waits until it's free. Calls `onWait` once if it has to. */
    async during<T>(name: string, work: () => Promise<T>, onWait?: () => void): Promise<T> {
      const lease = openLease(name);
      for (let tries = 1; ; tries += 1) {
        if (hasEnded) throw new Error('this process is ending');
        await lease.renew();
        if (lease.isHeld()) break;
        if (tries === 1) onWait?.();
        await delay(lease.renewEveryMs);
      }
      const timer = setInterval(() => void lease.renew().catch(() => undefined), lease.renewEveryMs);
      try {
        return await work();
      } finally {
        clearInterval(timer);
        open.delete(lease);
        // If that fails, it expires.
        await lease.release().catch(() => undefined);
      }
    },

    /** Gives all of them back, as this process ends. */
    async end() {
      hasEnded = true;
      await Promise.all([...open].map((lease) => lease.release().catch(() => undefined)));
    },
  };
}

/** Ends all leases: in a restored backup they are those of processes that no longer work on these records. */
export async function endLeases(client: StoreClient, now: Date): Promise<void> {
  const keys = recordsOf(client, 'one_time_keys');
  const held = storeTime(new Date(now.getTime() + KEPT_MS));
  for (const { id } of await keys.all(["key ~ 'lease:%' && expires > {:held}", { held }]))
    await keys.delete(id);
}

function createLease(client: StoreClient, name: string, periodMs: number) {
  const keys = recordsOf(client, 'one_time_keys');
  /** The record of each period that is ours. */
  const periods = new Map<number, string>();
  const now = () => client.clock.now().getTime();
  const current = () => Math.floor(now() / periodMs);
  let isReleased = false;

  const take = async (period: number): Promise<boolean> => {
    if (periods.has(period)) return true;
    const expires = new Date((period + 1) * periodMs + KEPT_MS).toISOString();
    const key = `lease:${name}:${period}`;
    const made = await keys.createIfNew({ key, expires });
    if (made) periods.set(period, made.id);
    return made !== null;
  };

  return {
    renewEveryMs: Math.max(1, Math.floor(periodMs / 3)),
    /**
     * Tells whether this process holds the lease, by its own clock, so that a suspended process knows that it lost it.
     */
    isHeld: () => !isReleased && periods.has(current()),

    /** Takes the lease if no process holds it, and renews ours. Call it at least once in `renewEveryMs`. */
    renew: oneAtATime(async () => {
      if (isReleased) return;
      const period = current();
      // The periods of the last hour stay known: a clock that is set back comes to our own ones again.
      for (const old of periods.keys()) if ((period - old) * periodMs > KEPT_MS) periods.delete(old);
      const isOurs = await take(period);
      if (isOurs && now() > (period + 0.5) * periodMs) await take(period + 1);
    }),

    /** Lets another process take it immediately. */
    async release() {
      isReleased = true;
      for (const [period, id] of periods) {
        if (period < current()) continue;
        await keys.delete(id);
      }
    },
  };
}

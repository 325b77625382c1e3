import type { Quota } from '../accounts/ports.ts';
import { AppError } from '../app-error.ts';
import { compareRuns } from './compare-runs.ts';
import { CLAIM_MS } from './ensure-run.ts';
import type { DeliveryBook, HookDeliveries, HookDelivery, Spot, SweepReport, Sweeps } from './ports.ts';
import { type TrackDeps, trackAll } from './track.ts';

export type SweepDeps = TrackDeps & {
  hookDeliveries: HookDeliveries;
  sweeps: Sweeps;
  quota: Quota;
  deliveries: DeliveryBook;
};

/** So many runs are compared with GitHub's each time: all of them in turn, at a price that stays the same. */
const COMPARED = 2;
const MOST_NAMED = 50;
/** GitHub keeps deliveries for three days. */
const KEPT_MS = 3 * 24 * 60 * 60 * 1000;
/** Some deliveries of the round before may have been under way. */
const OVERLAP_MS = 15 * 60 * 1000;
/** How often GitHub is asked for the same one. */
const ASKED_AT_MOST = { most: 3, ms: KEPT_MS };
const UNDER_WAY_MS = 60_000;
/** So many are asked for in one round. */
const MOST_REDELIVERED = 25;
/** What no look at the open pull requests can make up for comes first. */
const isUrgent = ({ event, action }: HookDelivery) => event === 'merge_group' || action === 'rerequested';

/**
 * Compares the open pull requests of every installation with the runs that they
 * should have, and puts right what differs; has GitHub deliver again what we did
 * not take. Nothing here is done only because it was done before: it may run in
 * several processes at once, and end anywhere.
 */
export async function sweep(deps: SweepDeps): Promise<SweepReport> {
  const began = Date.now();
  const repaired: Spot[] = [];
  const faults: Spot[] = [];
  let making = 0;
  const watched: SweepDeps = {
    ...deps,
    onRepair(at) {
      repaired.push(at);
      deps.onRepair(at);
    },
    onFault(error, at) {
      if (error instanceof AppError && error.code === 'runInTheMaking') making += 1;
      faults.push(at);
      deps.onFault(error, at);
    },
  };
  const part = async <T>(name: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      watched.onFault(error, { repository: name });
      return undefined;
    }
  };
  const before = await deps.sweeps.latest();
  const oldest = deps.clock.now().getTime() - KEPT_MS;
  const from = new Date(Math.max(oldest, Date.parse(before?.report.deliveriesFrom ?? '') || 0));
  await part('every repository', () => trackAll(watched));
  if (making > 0) {
    // Whoever was making these runs may have ended in the middle: then their time is over soon.
    await new Promise((resolve) => setTimeout(resolve, deps.claimMs ?? CLAIM_MS));
    faults.length = 0;
    await part('every repository', () => trackAll(watched));
  }
  const deliveries = await part('the list of deliveries', () => redeliver(watched, from));
  await part('the comparison of runs', () => compareRuns(watched, COMPARED));
  const report = {
    repaired: repaired.slice(0, MOST_NAMED),
    faults: faults.slice(0, MOST_NAMED),
    redelivered: deliveries?.redelivered ?? 0,
    missed: deliveries?.missed ?? {},
    deliveriesFrom: deliveries?.deliveriesFrom ?? from.toISOString(),
    took: Date.now() - began,
  };
  await deps.sweeps.save(report);
  return report;
}

type Redelivered = Pick<SweepReport, 'redelivered' | 'missed' | 'deliveriesFrom'>;

/** Asks GitHub to deliver again what no attempt brought us. */
async function redeliver(deps: SweepDeps, from: Date): Promise<Redelivered> {
  const now = deps.clock.now();
  const attempts = new Map<string, HookDelivery[]>();
  for (const attempt of await deps.hookDeliveries.failed(from)) {
    attempts.set(attempt.guid, [...(attempts.get(attempt.guid) ?? []), attempt]);
  }
  const untaken: HookDelivery[][] = [];
  for (const [guid, failed] of attempts) if (!(await deps.deliveries.isDone(guid))) untaken.push(failed);
  const newest = untaken
    .flatMap(([first]) => first ?? [])
    .sort((one, other) => Number(isUrgent(other)) - Number(isUrgent(one)));
  let redelivered = 0;
  let isThrough = true;
  for (const { id, guid } of newest) {
    isThrough &&= redelivered < MOST_REDELIVERED;
    if (redelivered >= MOST_REDELIVERED) break;
    try {
      const place = await deps.quota.take(`redeliver:${guid}`, ASKED_AT_MOST, now);
      if (place instanceof Date) continue;
      await deps.hookDeliveries.redeliver(id);
      redelivered += 1;
    } catch (error) {
      isThrough = false;
      deps.onFault(error, { repository: 'the list of deliveries' });
    }
  }
  return {
    redelivered,
    missed: missedOf(untaken, now),
    // What was left over is looked for again.
    deliveriesFrom: (isThrough ? new Date(now.getTime() - OVERLAP_MS) : from).toISOString(),
  };
}

/** By installation. The first attempts may be from before we listened, and the last ones on their way. */
function missedOf(untaken: HookDelivery[][], now: Date): Record<string, number> {
  const missed: Record<string, number> = {};
  for (const [newest, ...earlier] of untaken) {
    if (!newest || earlier.length === 0 || now.getTime() - newest.at.getTime() < UNDER_WAY_MS) continue;
    const key = String(newest.installation ?? 0);
    missed[key] = (missed[key] ?? 0) + 1;
  }
  return missed;
}

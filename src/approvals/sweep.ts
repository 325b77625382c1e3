import { compareRuns } from './compare-runs.ts';
import type { HookDeliveries, HookDelivery, Spot, SweepReport, Sweeps } from './ports.ts';
import { type TrackDeps, trackAll } from './track.ts';

export type SweepDeps = TrackDeps & { hookDeliveries: HookDeliveries; sweeps: Sweeps };

/** So many runs are compared with GitHub's each time: all of them in turn, at a price that stays the same. */
const COMPARED = 2;
const MOST_NAMED = 50;
/** GitHub keeps deliveries for three days. */
const KEPT_MS = 3 * 24 * 60 * 60 * 1000;
/** Some deliveries of the round before may have been under way. */
const OVERLAP_MS = 15 * 60 * 1000;
const MOST_ATTEMPTS = 4;
const UNDER_WAY_MS = 60_000;
/** So many are asked for in one round. */
const MOST_REDELIVERED = 25;
/** What no look at the open pull requests can make up for comes first. */
const FIRST = ['merge_group', 'check_run', 'check_suite'];

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
  const watched: SweepDeps = {
    ...deps,
    onRepair(at) {
      repaired.push(at);
      deps.onRepair(at);
    },
    onFault(error, at) {
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
  await part('every repository', () => trackAll(watched));
  const { redelivered, missed } =
    (await part('the list of deliveries', () => redeliver(deps, before?.at))) ?? NOTHING;
  await part('the comparison of runs', () => compareRuns(watched, COMPARED));
  const report = {
    repaired: repaired.slice(0, MOST_NAMED),
    faults: faults.slice(0, MOST_NAMED),
    redelivered,
    missed,
    took: Date.now() - began,
  };
  await deps.sweeps.save(report);
  return report;
}

type Redelivered = Pick<SweepReport, 'redelivered' | 'missed'>;
const NOTHING: Redelivered = { redelivered: 0, missed: {} };

/** Asks GitHub to deliver again what no attempt brought us. */
async function redeliver(
  { hookDeliveries, clock }: Pick<SweepDeps, 'hookDeliveries' | 'clock'>,
  before: Date | undefined,
): Promise<Redelivered> {
  const now = clock.now().getTime();
  const from = new Date(Math.max(now - KEPT_MS, (before?.getTime() ?? 0) - OVERLAP_MS));
  const attempts = new Map<string, HookDelivery[]>();
  for (const attempt of await hookDeliveries.since(from)) {
    attempts.set(attempt.guid, [...(attempts.get(attempt.guid) ?? []), attempt]);
  }
  const untaken = [...attempts.values()].filter((ofOne) => !ofOne.some(({ isTaken }) => isTaken));
  // The first attempts may be from before we listened, and the next ones on their way.
  const isLate = (ofOne: HookDelivery[]) =>
    ofOne.length > 1 && now - (ofOne[0]?.at.getTime() ?? 0) > UNDER_WAY_MS;
  const missed: Redelivered['missed'] = {};
  for (const [newest] of untaken.filter(isLate)) {
    const key = String(newest?.installation ?? 0);
    missed[key] = (missed[key] ?? 0) + 1;
  }
  const missing = untaken
    .filter((ofOne) => ofOne.length < MOST_ATTEMPTS)
    .flatMap(([newest]) => newest ?? [])
    .sort((one, other) => Number(FIRST.includes(other.event)) - Number(FIRST.includes(one.event)))
    .slice(0, MOST_REDELIVERED);
  for (const { id } of missing) await hookDeliveries.redeliver(id);
  return { redelivered: missing.length, missed };
}

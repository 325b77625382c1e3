import type { WatchDeps } from '../../protection/deps.ts';
import { watchAccounts } from '../../protection/watch.ts';
import { AppError } from '../../shared/app-error.ts';
import { elapsed, systemSleep } from '../../shared/clock.ts';
import { attempt, inTime } from '../../shared/work.ts';
import { CLAIM_MS } from '../check-run/run.ts';
import type { SyncTarget } from '../sync-target.ts';
import { compareGroups } from './compare-groups.ts';
import { compareHeads } from './compare-heads.ts';
import type { ReconcileDeps } from './deps.ts';
import type { ReconcileReport, SweepTurns } from './ports.ts';
import { firstDelivery, redeliverFailed } from './redeliver-failed.ts';
import { syncInstallation } from './sync-installation.ts';
import type { HeadSync } from './sync-open-pulls.ts';

const MOST_LISTED = 50;
/** How long the parts of a round may take that aren't about one installation. */
const PART_MS = 30 * 60_000;
/** An installation that finished no head and no repository for so long is left to the next round. */
const STUCK_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/**
 * One reconciliation: compares the open pull requests of every installation
 * with their check runs, in our records and on GitHub, and the groups of merge queues. Repairs what differs, and
 * asks GitHub to redeliver webhooks that failed. It is idempotent: it may run in several processes at
 * the same time, and stop anywhere.
 */
export async function reconcile(deps: ReconcileDeps & WatchDeps): Promise<ReconcileReport> {
  const began = deps.clock.now();
  const beganAt = elapsed(deps.clock);
  const { recording, repaired, faults } = recordOutcome(deps);
  const part = <T>(repository: string, work: () => Promise<T>) =>
    attempt(recording, { repository }, () => inTime(PART_MS, work));
  const previous = await deps.reconcileReports.latest();
  const from = firstDelivery(previous?.report ?? null, began);

  const compareAll = () =>
    attempt(recording, { repository: 'every repository' }, () => compareInstallations(recording));
  await compareAll();
  if (faults.some(({ code }) => code === 'runBeingCreated')) {
    // A process that was creating these runs may have died: its claim expires soon.
    const { sleep = systemSleep, claimMs = CLAIM_MS } = deps;
    await sleep(claimMs);
    faults.length = 0;
    await compareAll();
  }
  await part('the merge groups', () => compareGroups(recording));
  const deliveries = await part('the list of deliveries', () => redeliverFailed(recording, from));
  await part('what protects the accounts', () => watchAccounts(recording));
  const report = {
    repaired: repaired.slice(0, MOST_LISTED),
    faults: faults.slice(0, MOST_LISTED).map(({ target }) => target),
    redelivered: deliveries?.redelivered ?? 0,
    missed: deliveries?.missed ?? {},
    deliveriesFrom: deliveries?.deliveriesFrom ?? from.toISOString(),
    explainsFrom: explainsFrom(
      previous?.report ?? null,
      deps.clock.now(),
      faults.some(({ code }) => code !== 'permissionMissing'),
    ),
    took: elapsed(deps.clock) - beganAt,
  };
  await deps.reconcileReports.save(report);
  return report;
}

/**
 * Compares the heads of every installation of the App. An installation that makes no progress fails, and the others are
 * still compared.
 */
async function compareInstallations(deps: ReconcileDeps): Promise<void> {
  const headSync = compareHeads(deps);
  for (const installation of await inTime(STUCK_MS, () => deps.installations.list())) {
    let isLeft = false;
    const untilLeft = { ...deps, isStopping: () => isLeft || Boolean(deps.isStopping?.()) };
    await inTime(STUCK_MS, (onProgress) =>
      syncInstallation(untilLeft, installation, reporting(headSync, onProgress)),
    ).catch((error: unknown) => {
      isLeft = true;
      deps.onSyncFailed(error, { repository: `${installation.account.login}/*` });
    });
  }
}

/** Calls `onProgress` after each step. */
const reporting = ({ read, sync, ...other }: HeadSync, onProgress: () => void): HeadSync => ({
  ...other,
  read: (repo) => read(repo).finally(onProgress),
  sync: (headRef, pulls) => sync(headRef, pulls).finally(onProgress),
});

/**
 * A round with a fault may have left out a head whose genuine success a new or restored store doesn't know. One that GitHub
 * refuses for want of a permission doesn't count: it may stay for ever.
 */
function explainsFrom(previous: ReconcileReport | null, now: Date, hasFaults: boolean): string {
  const before = previous ? Date.parse(previous.explainsFrom) : now.getTime() + DAY_MS;
  return new Date(hasFaults ? before : Math.min(before, now.getTime())).toISOString();
}

/** Lets the dependencies also record repairs and faults. */
function recordOutcome<Deps extends ReconcileDeps>(deps: Deps) {
  const repaired: SyncTarget[] = [];
  const faults: { target: SyncTarget; code: string }[] = [];
  const recording: Deps = {
    ...deps,
    onRepaired(target: SyncTarget) {
      repaired.push(target);
      deps.onRepaired(target);
    },
    onSyncFailed(error: unknown, target: SyncTarget) {
      faults.push({ target, code: error instanceof AppError ? error.code : '' });
      deps.onSyncFailed(error, target);
    },
  };
  return { recording, repaired, faults };
}

export type SweepDeps = ReconcileDeps & WatchDeps & { sweepTurns: SweepTurns };

/**
 * Reconciles in turn with all other processes. A reconciliation that began after this one was asked for, and ended
 * while this one waited for its turn, is as good: its report is returned.
 */
export async function sweep(deps: SweepDeps): Promise<ReconcileReport> {
  const asked = deps.clock.now().getTime();
  return deps.sweepTurns.during(async () => {
    const latest = await deps.reconcileReports.latest();
    const began = latest && latest.at.getTime() - latest.report.took;
    return latest && began !== null && began > asked ? latest.report : reconcile(deps);
  });
}

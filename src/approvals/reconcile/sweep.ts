import type { ReconcileReport, SweepTurns } from '../ports.ts';
import { type ReconcileDeps, reconcile } from './reconcile.ts';

export type SweepDeps = ReconcileDeps & { sweepTurns: SweepTurns };

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

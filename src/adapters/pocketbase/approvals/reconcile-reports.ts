import type { ReconcileReports } from '../../../approvals/ports.ts';
import { type StoreClient, storeTime } from '../client.ts';
import { recordsOf } from '../records/records-of.ts';

/** By how much the record store's clock may be ahead. A report that is newer was saved before a clock was set back. */
const SKEW_MS = 60_000;

export function createReconcileReports(client: StoreClient): ReconcileReports {
  const reports = recordsOf(client, 'reconcile_reports');
  return {
    async latest() {
      const until = storeTime(new Date(client.clock.now().getTime() + SKEW_MS));
      const newest = await reports.first('created <= {:until}', { until }, { sort: '-created' });
      return newest && { at: new Date(newest.created), report: newest.report };
    },
    async save(report) {
      await reports.create({ report });
    },
  };
}

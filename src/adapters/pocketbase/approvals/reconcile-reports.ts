import type { ReconcileReport, ReconcileReports } from '../../../approvals/ports.ts';
import { first, type StoreClient, storeTime } from '../client.ts';

/** By how much the record store's clock may be ahead. A report that is newer was saved before a clock was set back. */
const SKEW_MS = 60_000;

type ReportRecord = { report: ReconcileReport; created: string };

export function createReconcileReports(client: StoreClient): ReconcileReports {
  return {
    async latest() {
      const until = storeTime(new Date(client.clock.now().getTime() + SKEW_MS));
      const newest = await client.run((records) =>
        first<ReportRecord>(
          records,
          'reconcile_reports',
          'created <= {:until}',
          { until },
          { sort: '-created' },
        ),
      );
      return newest && { at: new Date(newest.created), report: newest.report };
    },
    async save(report) {
      await client.run((records) => records.collection('reconcile_reports').create({ report }));
    },
  };
}

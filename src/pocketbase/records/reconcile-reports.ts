import type { ReconcileReport, ReconcileReports } from '../../approvals/ports.ts';
import type { StoreClient } from '../client.ts';

type ReportRecord = { report: ReconcileReport; created: string };

export function createReconcileReports(client: StoreClient): ReconcileReports {
  return {
    async latest() {
      const page = await client.run((records) =>
        records
          .collection('reconcile_reports')
          .getList<ReportRecord>(1, 1, { sort: '-created', skipTotal: true }),
      );
      const [newest] = page.items;
      return newest ? { at: new Date(newest.created), report: newest.report } : null;
    },
    async save(report) {
      await client.run((records) => records.collection('reconcile_reports').create({ report }));
    },
  };
}

import type { SweepReport, Sweeps } from '../approvals/ports.ts';
import type { StoreClient } from './client.ts';

type SweepRecord = { report: SweepReport; created: string };

export function createSweeps(client: StoreClient): Sweeps {
  return {
    async latest() {
      const page = await client.run((records) =>
        records.collection('sweeps').getList<SweepRecord>(1, 1, { sort: '-created', skipTotal: true }),
      );
      const [newest] = page.items;
      return newest ? { at: new Date(newest.created), report: newest.report } : null;
    },
    async save(report) {
      await client.run((records) => records.collection('sweeps').create({ report }));
    },
  };
}

import type { ApprovalStatistics } from '../../../organizations/ports.ts';
import type { StoreClient } from '../client.ts';

type DayRecord = { day: string; approvals: number; seconds: string };

/** Counts every approval that was given, withdrawn ones too. */
export function createApprovalStatistics(client: StoreClient): ApprovalStatistics {
  return {
    async days(orgId) {
      const found = await client.run((records) =>
        records.collection('approval_days').getList<DayRecord>(1, 50, {
          filter: records.filter('org_id = {:orgId}', { orgId }),
          sort: 'day',
          skipTotal: true,
        }),
      );
      return found.items
        .filter(({ approvals }) => approvals > 0)
        .map(({ day, approvals, seconds }) => ({
          day,
          approvals,
          seconds: seconds === '' ? [] : seconds.split(',').map(Number),
        }));
    },
  };
}

import { createExpiringMap } from '../../expiring-map.ts';
import type { ApprovalStatistics } from '../../organizations/ports.ts';
import type { StoreClient } from '../client.ts';

type DayRecord = { day: string; approvals: number; seconds: string };

type Days = Awaited<ReturnType<ApprovalStatistics['days']>>;

/** Owners who look at the same time, or look again, cost one reading. */
const REMEMBERED_MS = 30_000;

/** Counts every approval that was given, withdrawn ones too. */
export function createApprovalStatistics(client: StoreClient): ApprovalStatistics {
  const known = createExpiringMap<Promise<Days>>(client.clock);

  const read = async (orgId: number): Promise<Days> => {
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
  };

  return {
    days(orgId) {
      const key = String(orgId);
      const seen = known.get(key);
      if (seen !== undefined) return seen;
      const days = read(orgId);
      known.set(key, days, REMEMBERED_MS);
      days.catch(() => known.delete(key));
      return days;
    },
  };
}

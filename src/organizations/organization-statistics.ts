import type { DayOfApprovals, OrganizationStatisticsAnswer } from '../contract/organization.ts';
import type { Session } from '../people/ports.ts';
import type { OrganizationDeps } from './deps.ts';
import { requireOwner } from './require-role.ts';

const DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/**
 * Counts the approvals that an organization's members gave on each of the last 30 days
 * by UTC, and how long pull requests waited for their first one; for its owners.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function organizationStatistics(
  deps: OrganizationDeps,
  { session, orgID }: { session: Session; orgID: number },
): Promise<OrganizationStatisticsAnswer> {
  const org = await requireOwner(deps, session, orgID);
  const stored = new Map((await deps.statistics.days(org.orgId)).map((found) => [found.day, found]));
  const today = deps.clock.now().getTime();
  const found = Array.from({ length: DAYS }, (_, at) => {
    const day = new Date(today - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10);
    return stored.get(day) ?? { day, approvals: 0, seconds: [] };
  });
  return {
    days: found.map(
      ({ day, approvals, seconds }): DayOfApprovals => ({ day, approvals, medianSeconds: medianOf(seconds) }),
    ),
    approvals: found.reduce((sum, { approvals }) => sum + approvals, 0),
    medianSeconds: medianOf(found.flatMap(({ seconds }) => seconds)),
  };
}

/** The mean of the two in the middle if there is no single one, to the second; null for none. */
function medianOf(seconds: number[]): number | null {
  const sorted = seconds.toSorted((one, other) => one - other);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2);
}

import type { ApprovalTarget } from '../contract/approvals.ts';
import { budgets } from './call-budgets.ts';
import type { Call, CallDeps } from './calls.ts';
import type { RecentReads } from './recent-reads.ts';
import { type Spending, spend, spendOf } from './spend.ts';

/**
 * Counts a product call before it asks GitHub anything: against its session and the organization that it names, then
 * against every other one whose installation it may use.
 *
 * @throws AppError as `spend`; and if what it refers to is refused at once.
 */
export async function countCall(
  deps: CallDeps,
  call: Omit<Spending, 'orgID' | 'count'>,
  { orgID, targets, cost, storedTargets }: ReturnType<Call['prepare']>,
): Promise<void> {
  const { requests, work } = cost();
  const counted = Math.max(requests, targets.length);
  const isFree = budgets[call.budget].requests === 0;
  // Only reads what we stored, so it needn't wait until the call is counted.
  const named = isFree ? new Map<number, number>() : countElsewhere(deps.recent, targets);
  const [elsewhere] = await Promise.all([named, spend(deps, { ...call, orgID, count: counted })]);
  if (work > counted) await spend(deps, { ...call, orgID: undefined, count: work - counted });
  const stored = await storedTargets(deps, call.session);
  if (stored.length > counted) await spend(deps, { ...call, orgID, count: stored.length - counted });
  if (isFree) return;
  for (const [other, count] of await countElsewhere(deps.recent, stored))
    elsewhere.set(other, (elsewhere.get(other) ?? 0) + count);
  for (const [other, count] of elsewhere) await spendOf(deps, { ...call, orgID: other, count });
}

/** For each account that a target doesn't name but may be read from: how many of these targets that are. */
async function countElsewhere(recent: RecentReads, targets: ApprovalTarget[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  const accounts = await Promise.all(targets.map(recent.elsewhere));
  for (const orgID of accounts.flat()) counts.set(orgID, (counts.get(orgID) ?? 0) + 1);
  return counts;
}

import type { ApprovalTarget } from '../contract/approvals.ts';
import { type FindMovedDeps, findMovedTargets } from './find-moved-targets.ts';

/**
 * For each account that a target doesn't name but may be read from, by what the store knows: how many of these targets
 * that are. A body can name one organization and a repository of another, and then GitHub is asked with the other's
 * installation.
 */
export async function countElsewhere(
  deps: FindMovedDeps,
  targets: ApprovalTarget[],
): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  const accounts = await Promise.all(targets.map((target) => accountsElsewhere(deps, target)));
  for (const orgID of accounts.flat()) counts.set(orgID, (counts.get(orgID) ?? 0) + 1);
  return counts;
}

async function accountsElsewhere(deps: FindMovedDeps, target: ApprovalTarget): Promise<number[]> {
  const accounts = new Set<number>();
  for await (const moved of findMovedTargets(deps, target)) accounts.add(moved.ownerID);
  accounts.delete(target.ownerID);
  return [...accounts];
}

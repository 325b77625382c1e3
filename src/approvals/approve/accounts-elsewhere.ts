import type { ApprovalTarget } from '../../contract/approvals.ts';
import { type FindMovedDeps, findMovedTargets } from './find-moved-targets.ts';

/**
 * The accounts that a target doesn't name but may be read from, by what the store knows. A body can name one organization
 * and a repository of another, and then GitHub is asked with the other's installation.
 */
export async function accountsElsewhere(deps: FindMovedDeps, target: ApprovalTarget): Promise<number[]> {
  const accounts = new Set<number>();
  for await (const moved of findMovedTargets(deps, target)) accounts.add(moved.ownerID);
  accounts.delete(target.ownerID);
  return [...accounts];
}

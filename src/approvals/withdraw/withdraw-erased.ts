import type { HeadDeps } from '../deps.ts';
import { trySyncStored } from '../reconcile/sync-open-pulls.ts';
import { hasOpenPull, withdrawalEntry } from './withdraw-approval.ts';

/**
 * Takes back the approvals of a person who is about to be erased, where a pull request is open, and updates GitHub. The
 * log entry doesn't name them. Heads that GitHub couldn't be asked about go to `onSyncFailed`; the next
 * reconciliation syncs them.
 */
export async function withdrawErased(
  deps: HeadDeps,
  { githubId, heads }: { githubId: number; heads: { orgId: number; head: string }[] },
): Promise<number> {
  let withdrawn = 0;
  for (const { orgId, head } of heads) {
    const org = await deps.organizations.byOrgId(orgId);
    const approvals = org ? await deps.approvals.ofPerson({ orgId, githubId, head }) : [];
    for (const approval of approvals) {
      if (!org || !(await hasOpenPull(deps, approval))) continue;
      const effects = { activity: withdrawalEntry(org, approval), notices: [] };
      if (await deps.approvals.withdraw(approval, effects)) withdrawn += 1;
      await trySyncStored(deps, approval);
    }
  }
  return withdrawn;
}

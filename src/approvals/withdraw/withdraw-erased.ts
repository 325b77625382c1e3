import { inTurn } from '../../shared/work.ts';
import type { HeadDeps } from '../deps.ts';
import { trySyncStored } from '../reconcile/sync-stored-head.ts';
import { hasOpenPull, withdrawalEntry } from './withdraw-approval.ts';

/**
 * Takes back the approvals of a person who is about to be erased, where a pull request is open, and updates GitHub. The
 * log entry doesn't name them. Heads that GitHub couldn't be asked about go to `onSyncFailed`; the next
 * reconciliation syncs them.
 *
 * @throws The first failure, after each approval had its turn: the person isn't erased while an approval is left.
 */
export async function withdrawErased(
  deps: HeadDeps,
  { githubId, heads }: { githubId: number; heads: { orgId: number; head: string }[] },
): Promise<number> {
  let withdrawn = 0;
  await inTurn(heads, async ({ orgId, head }) => {
    const org = await deps.organizations.byOrgId(orgId);
    if (!org) return;
    await inTurn(await deps.approvals.ofPerson({ orgId, githubId, head }), async (approval) => {
      if (!(await hasOpenPull(deps, approval))) return;
      const effects = { activity: withdrawalEntry(org, approval, null), notices: [] };
      if (await deps.approvals.withdraw(approval, effects)) withdrawn += 1;
      await trySyncStored(deps, approval);
    });
  });
  return withdrawn;
}

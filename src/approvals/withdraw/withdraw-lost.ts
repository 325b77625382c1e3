import type { Effects } from '../../audit/ports.ts';
import { accountOf } from '../../audit/subjects.ts';
import type { LostAuthenticator, LostAuthenticators } from '../../authenticators/ports.ts';
import type { LostApprovals } from '../../contract/authenticators.ts';
import type { HeadDeps } from '../deps.ts';
import type { LocatedApproval } from '../ports.ts';
import { trySyncStored } from '../reconcile/sync-open-pulls.ts';
import { hasOpenPull, withdrawalEntry } from './withdraw-approval.ts';

export type WithdrawLostDeps = HeadDeps & { lostAuthenticators: LostAuthenticators };

/**
 * Withdraws every approval made with a lost or stolen authenticator since it was
 * lost, then updates GitHub for the heads that are open. That includes
 * approvals of closed pull requests and former heads, because both can come
 * back. Calling it again is safe; no further approval can be stored with that
 * authenticator, because it's removed.
 */
export async function withdrawLost(deps: WithdrawLostDeps, lost: LostAuthenticator): Promise<void> {
  const approvals = await deps.approvals.madeWith(lost);
  for (const approval of approvals) await deps.approvals.withdraw(approval, effectsOf(lost, approval));
  await deps.lostAuthenticators.done(lost);
  // `retryUnreported` syncs the other heads.
  for (const approval of firstOfEachHead(approvals))
    if (await hasOpenPull(deps, approval)) await trySyncStored(deps, approval);
}

/** Counts what `withdrawLost` would withdraw now, and the open pull requests that it counts for. */
export async function countLost(deps: HeadDeps, lost: LostAuthenticator): Promise<LostApprovals> {
  const approvals = await deps.approvals.madeWith(lost);
  const of = (repoId: number, head: string, base: string) => `${repoId} ${head} ${base}`;
  const approved = new Set(approvals.map(({ repoId, head, base }) => of(repoId, head, base)));
  let openPulls = 0;
  for (const repoId of new Set(approvals.map((one) => one.repoId))) {
    const open = await deps.openPulls.ofRepository(repoId);
    openPulls += open.filter(({ head, base }) => approved.has(of(repoId, head, base))).length;
  }
  return { approvals: approvals.length, openPulls };
}

/** Withdraws the approvals that a crash or an outage left. */
export async function retryWithdrawLost(deps: WithdrawLostDeps): Promise<void> {
  for (const lost of await deps.lostAuthenticators.pending()) await withdrawLost(deps, lost);
}

function firstOfEachHead(approvals: LocatedApproval[]): LocatedApproval[] {
  return [...new Map(approvals.map((one) => [`${one.repoId}:${one.head}`, one])).values()];
}

function effectsOf({ org, by, holder, since }: LostAuthenticator, approval: LocatedApproval): Effects {
  const { data, ...entry } = withdrawalEntry({ id: org.recordId, name: org.name }, approval);
  return {
    activity: {
      ...entry,
      userId: by.userId,
      data: { ...data, login: by.login, user: holder.login, lostSince: since.toISOString() },
      facts: { repoId: approval.repoId },
      // The person who reported the loss may have been erased since.
      personFacts: { ...(by.githubId > 0 && { by: accountOf(by) }), holder: accountOf(holder) },
    },
    // The removal notified the person and the owners.
    notices: [],
  };
}

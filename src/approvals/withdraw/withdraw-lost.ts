import type { Effects } from '../../audit/ports.ts';
import type { LostAuthenticator, LostAuthenticators } from '../../authenticators/ports.ts';
import type { LostApprovals } from '../../contract/authenticators.ts';
import { AppError } from '../../shared/app-error.ts';
import { inTurn } from '../../shared/work.ts';
import type { HeadDeps } from '../deps.ts';
import type { LocatedGiven, Withdrawable } from '../ports.ts';
import { trySyncStored } from '../reconcile/sync-stored-head.ts';
import { isWithdrawalShown, withdrawalEntry } from './withdraw-approval.ts';

export type WithdrawLostDeps = HeadDeps & { lostAuthenticators: LostAuthenticators };

/**
 * Withdraws every approval, denial and decision made with a lost or stolen authenticator since it was
 * lost, then updates GitHub for the heads that are open. That includes
 * approvals of closed pull requests and former heads, because both can come
 * back. Calling it again is safe; no further approval can be stored with that
 * authenticator, because it's removed.
 *
 * @throws The first failure, after each approval and each head had its turn; `lossUnfinished` if GitHub may still show a
 *   success.
 */
export async function withdrawLost(deps: WithdrawLostDeps, lost: LostAuthenticator): Promise<void> {
  const made = await deps.approvals.madeWith(lost);
  const open = new Set(await openAmong(deps, made.filter(isOfHead)));
  // Nobody can keep a green check for longer by approving much that isn't open.
  const openFirst = [...new Set([...open, ...made])];
  try {
    await inTurn(openFirst, (approval) => deps.approvals.withdraw(approval, effectsOf(lost, approval)));
    await deps.lostAuthenticators.done(lost);
  } finally {
    // `retryUnreported` syncs the other heads.
    await inTurn(firstOfEachHead(open), async (approval) => {
      await trySyncStored(deps, approval);
      if (!(await isWithdrawalShown(deps, approval))) throw new AppError('lossUnfinished');
    });
  }
}

/** The approvals whose head an open pull request had at its last sync. */
async function openAmong(deps: HeadDeps, approvals: Withdrawable[]): Promise<Withdrawable[]> {
  const heads = new Set<string>();
  for (const repoId of new Set(approvals.map((one) => one.repoId)))
    for (const { head } of await deps.openPulls.ofRepository(repoId)) heads.add(`${repoId}:${head}`);
  return approvals.filter(({ repoId, head }) => heads.has(`${repoId}:${head}`));
}

/** Counts what `withdrawLost` would withdraw now, and the open pull requests that lose an approval. */
export async function countLost(deps: HeadDeps, lost: LostAuthenticator): Promise<LostApprovals> {
  const made = await deps.approvals.madeWith(lost);
  const approvals = made.filter(isApproval);
  const of = (repoId: number, head: string, base: string) => `${repoId} ${head} ${base}`;
  const ofHeads = approvals.filter(isOfHead);
  const approved = new Set(ofHeads.map(({ repoId, head, base }) => of(repoId, head, base)));
  let openPulls = 0;
  for (const repoId of new Set(ofHeads.map((one) => one.repoId))) {
    const open = await deps.openPulls.ofRepository(repoId);
    openPulls += open.filter(({ head, base }) => approved.has(of(repoId, head, base))).length;
  }
  return { approvals: approvals.length, others: made.length - approvals.length, openPulls };
}

/** Counts the organization's approvals by lost authenticators that still count. */
export async function countLeft(deps: WithdrawLostDeps, orgId: number): Promise<number> {
  const pending = await deps.lostAuthenticators.pending();
  const left = await Promise.all(
    pending.filter(({ org }) => org.id === orgId).map((lost) => deps.approvals.madeWith(lost)),
  );
  return left.flat().length;
}

/** Withdraws the approvals that a crash or an outage left. @throws The first failure, after each loss had its turn. */
export async function retryWithdrawLost(deps: WithdrawLostDeps): Promise<void> {
  await inTurn(await deps.lostAuthenticators.pending(), (lost) => withdrawLost(deps, lost));
}

function firstOfEachHead(approvals: Iterable<Withdrawable>): Withdrawable[] {
  return [...new Map(Array.from(approvals, (one) => [`${one.repoId}:${one.head}`, one])).values()];
}

const isOfHead = (one: LocatedGiven): one is Withdrawable => one.run === undefined;

/** An approval of a head or of a deployment. */
const isApproval = (one: LocatedGiven): boolean =>
  one.run === undefined ? one.reason === undefined : one.decision === 'approve';

/** The removal of the authenticator notified the person and the owners. */
function effectsOf({ org, by, holder, since }: LostAuthenticator, approval: LocatedGiven): Effects {
  const about = { id: org.recordId, name: org.name };
  const people = { userId: by.userId, by, holder };
  const activity = withdrawalEntry(about, approval, people, { lostSince: since.toISOString() });
  return { activity, notices: [] };
}

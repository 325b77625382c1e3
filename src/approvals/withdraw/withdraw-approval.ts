import type { Effects, NewActivity } from '../../audit/ports.ts';
import { accountOf } from '../../audit/subjects.ts';
import type { ActivityData } from '../../contract/activity.ts';
import type { ApprovalTarget, WithdrawalAnswer } from '../../contract/approvals.ts';
import type { Organization } from '../../organizations/ports.ts';
import type { Person } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { takeSlot } from '../../shared/limits.ts';
import { inTurn } from '../../shared/work.ts';
import { requireOpen } from '../approve/authorize-approver.ts';
import { syncCheckRun } from '../check-run/head.ts';
import type { HeadDeps } from '../deps.ts';
import type { HeadRef, LocatedGiven, Withdrawable } from '../ports.ts';
import { locateRepository } from '../reconcile/sync-stored-head.ts';

export type WithdrawDeps = HeadDeps & {
  /** Called if the withdrawal is stored and GitHub can't be updated yet. */
  onDelay(error: unknown): void;
};

const RULE = { most: 20, ms: 10 * 60_000 };

/**
 * Withdraws the person's own approvals and denials of a commit while its pull request is
 * open, then updates GitHub. It's stored first, so an outage delays the pending
 * check and loses nothing. The person may approve the same head again.
 *
 * @throws AppError `approvalNotFound`, `pullMerged`, `pullClosed`, `tooManyRequests` after 20 in ten minutes.
 */
export async function withdrawApproval(
  deps: WithdrawDeps,
  input: { person: Person; target: ApprovalTarget },
): Promise<WithdrawalAnswer> {
  const { person, target } = input;
  const org = await deps.organizations.byOrgId(target.ownerID);
  const { head, ownerID: orgId } = target;
  const all = await deps.approvals.ofPerson({ orgId, githubId: person.githubId, head });
  const given = inRepository(all, target);
  // The e-mail is about the first one, and only a denial keeps the check from passing.
  const approvals = [...given.filter(isDenial), ...given.filter((one) => !isDenial(one))];
  const [first] = approvals;
  if (!org || !first) throw new AppError('approvalNotFound');
  const repo = await locateRepository(deps, first);
  await requireNotClosed(deps, { ...first, repo }, target.pr);
  // Counts only withdrawals, so that a session's thief can't use it up with refused calls.
  await takeSlot(deps, `withdraw:${person.userId}`, RULE);
  await inTurn(approvals, (approval) =>
    deps.approvals.withdraw(approval, effectsOf(person, org, { approval, isFirst: approval === first })),
  );
  return showWithdrawal(deps, first);
}

/** Updates GitHub after a withdrawal of this approval or denial, wherever its repository is now. */
export async function showWithdrawal(deps: WithdrawDeps, given: Withdrawable): Promise<WithdrawalAnswer> {
  const { repoId, head } = given;
  try {
    await syncCheckRun(deps, { repo: await locateRepository(deps, given), repoId, head });
    return { reported: await isWithdrawalShown(deps, given) };
  } catch (error) {
    // The error isn't thrown on: the withdrawal is stored, and must not look refused.
    deps.onDelay(error);
    return { reported: false };
  }
}

/**
 * Goes by the repository's id, because another one may have its former name. Old links have only the name; if it was
 * changed since, all of them: ids in the person's approvals decide, not names.
 */
function inRepository(approvals: Withdrawable[], { owner, repo, repoID }: ApprovalTarget): Withdrawable[] {
  if (repoID !== undefined) return approvals.filter(({ repoId }) => repoId === repoID);
  const name = `${owner}/${repo}`.toLowerCase();
  const named = approvals.filter((one) => `${one.repo.owner}/${one.repo.name}`.toLowerCase() === name);
  const [first] = named.length > 0 ? named : approvals;
  return approvals.filter(({ repoId }) => repoId === first?.repoId);
}

/** The withdrawal continues if GitHub doesn't say: it only takes a pass away. */
async function requireNotClosed(
  deps: WithdrawDeps,
  { repo, repoId }: Withdrawable,
  pr: number,
): Promise<void> {
  const pull = await deps.pulls.get(repo, pr).catch(() => null);
  if (pull?.repo.id === repoId) requireOpen(pull);
}

/** The effects have one notice, even if the person approved the commit for several pull requests. */
function effectsOf(
  person: Person,
  org: Organization,
  { approval, isFirst }: { approval: Withdrawable; isFirst: boolean },
): Effects {
  const { userId, login } = person;
  const notice = { org: org.name, login, label: labelOf(approval), ...deniesIn(approval) };
  return {
    activity: withdrawalEntry(org, approval, { userId, by: person, holder: person }),
    notices: isFirst ? [{ kind: 'approvalWithdrawn', userId, data: notice }] : [],
  };
}

/** Tells whether GitHub shows every withdrawal of the head. It doesn't if the App can't see the repository now. */
export async function isWithdrawalShown({ approvals }: HeadDeps, { repoId, head }: Omit<HeadRef, 'repo'>) {
  const { withdrawn } = await approvals.ofHead(repoId, head);
  return withdrawn.every(({ reported }) => reported);
}

/** Tells whether an open pull request had this head at its last sync. */
export const hasOpenPull = async ({ openPulls }: HeadDeps, { repoId, head }: HeadRef): Promise<boolean> =>
  (await openPulls.withHead(repoId, head)).length > 0;

/** "commit 6dcb09b5 of hello#7", for e-mails. */
export const labelOf = ({ head, repo, pr }: Withdrawable) =>
  `commit ${head.slice(0, 8)} of ${repo.name}#${pr}`;

const isDenial = ({ reason }: Withdrawable): boolean => reason !== undefined;
const deniesIn = (given: Withdrawable) => (isDenial(given) ? { denies: true } : {});

type Account = { githubId: number; login: string };

/** Who took something back, and whose it was. `by` has the id 0 if nobody did, or if they were erased since. */
type WithdrawnBy = { userId: string; by: Account; holder: Account };

/** The log entry of every withdrawal. It names nobody if `people` is null. */
export function withdrawalEntry(
  org: Pick<Organization, 'id' | 'name'>,
  given: LocatedGiven,
  people: WithdrawnBy | null,
  more: ActivityData = {},
): NewActivity {
  const { method: type, head: sha, repo, repoId } = given;
  const about =
    given.run === undefined
      ? { pr: given.pr, ...deniesIn(given) }
      : { environment: given.environment, run: given.run };
  const data = { type, sha, ...about, repo: repo.name, org: org.name };
  const entry = { activity: 'approvalWithdraw', orgRecordId: org.id } as const;
  if (!people) return { ...entry, userId: '', data };
  const { userId, by, holder } = people;
  return {
    ...{ ...entry, userId, facts: { repoId } },
    data: { ...data, login: by.login, user: holder.login, ...more },
    personFacts: { ...(by.githubId > 0 && { by: accountOf(by) }), holder: accountOf(holder) },
  };
}

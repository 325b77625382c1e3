import type { ReceiptsAnswer } from '../contract/receipts.ts';
import type { Statement } from '../contract/statement.ts';
import type { Members, Organizations } from '../organizations/ports.ts';
import { requireMember } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import { erasedApprovals } from './erased-approvals.ts';
import { type IssueDeps, issueReceipts, splitIssued } from './issue-receipts.ts';
import type { ProvedApproval, ProvedApprovals } from './ports.ts';

export type HeadReceiptsDeps = IssueDeps & {
  organizations: Organizations;
  members: Members;
  provedApprovals: ProvedApprovals;
};

export type HeadTarget = {
  owner: string;
  ownerID: number;
  repo: string;
  pr: number;
  head: string;
  repoID?: number | undefined;
  size?: number | undefined;
};

/** Of one pull request's head: as many as people can look at. */
const MOST = 50;

/**
 * The receipts of a pull request's head, for members: of every approval, also of withdrawn ones, newest first.
 *
 * @throws AppError `installationNotFound`, `installationSuspended`, `notMember`, and those of `issueReceipts`.
 */
export async function headReceipts(
  deps: HeadReceiptsDeps,
  { session, target }: { session: Session; target: HeadTarget },
): Promise<ReceiptsAnswer> {
  const org = await requireMember(deps, session, target.ownerID);
  const found = await deps.provedApprovals.ofHead(org.orgId, target.head);
  const approvals = found
    .filter((one) => isOf({ ...one, name: nameIn(one) }, target))
    .slice(0, MOST)
    .sort((one, other) => other.stored.getTime() - one.stored.getTime());
  const erased = await erasedApprovals(deps.provedApprovals, {
    org,
    head: target.head,
    isOf: (one) => isOf({ ...one, name: `${org.name}/${one.repo}` }, target),
    found,
  });
  const issued = splitIssued(await issueReceipts(deps, { org, approvals, size: target.size }));
  return { ...issued, without: [...issued.without, ...erased] };
}

/**
 * By the repository's id, because another one may have its name by now. Without it by the name that was signed, and
 * only among the account's own approvals.
 */
function isOf(
  approval: { repoId: number; pr: number; name: string },
  { owner, repo, pr, repoID }: HeadTarget,
): boolean {
  if (approval.pr !== pr) return false;
  if (repoID !== undefined) return approval.repoId === repoID;
  return approval.name.toLowerCase() === `${owner}/${repo}`.toLowerCase();
}

const nameIn = ({ statement }: ProvedApproval) => (statement as Statement).repo.name;

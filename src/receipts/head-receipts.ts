import type { ReceiptsAnswer, WithoutReceipt } from '../contract/receipts.ts';
import type { Statement } from '../contract/statement.ts';
import type { Organization } from '../organizations/ports.ts';
import { type RoleDeps, requireMember } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import { type IssueDeps, issueReceipts, splitIssued } from './issue-receipts.ts';
import type { ErasedApproval, ProvedApproval, ProvedApprovals } from './ports.ts';

export type HeadReceiptsDeps = IssueDeps & RoleDeps & { provedApprovals: ProvedApprovals };

type HeadTarget = {
  owner: string;
  ownerID: number;
  repo: string;
  pr: number;
  head: string;
  repoID?: number | undefined;
  size?: number | undefined;
};

/** The most receipts of one head: as many as people can look at. */
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
 * Compares the repository's id, because another one may have its name by now. Without it the name that was signed, and
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

const WHY = 'The data of a person who approved this commit was erased, so their approval has no receipt.';

/** Why a head's approvals have no receipts whose people were erased. @param input.found Those that are still there. */
export async function erasedApprovals(
  provedApprovals: Pick<ProvedApprovals, 'erasedOf'>,
  input: {
    org: Organization;
    head: string;
    isOf(erased: ErasedApproval): boolean;
    found: ProvedApproval[];
  },
): Promise<WithoutReceipt[]> {
  const { org, head, isOf, found } = input;
  const known = new Set(found.map(({ id }) => id));
  const erased = await provedApprovals.erasedOf(org.id, head);
  return erased.filter((one) => isOf(one) && !known.has(one.id)).map(() => ({ commit: head, why: WHY }));
}

import { storedStoryOf } from '../approvals/story.ts';
import type { ReceiptsAnswer, ReceiptsRequest, WithoutReceipt } from '../contract/receipts.ts';
import type { Statement } from '../contract/statement.ts';
import type { Organization } from '../organizations/ports.ts';
import { requireMember } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import type { ReceiptDeps } from './deps.ts';
import { issueReceipts } from './issue-receipts.ts';
import type { ErasedApproval, ProvedApproval, ProvedApprovals } from './ports.ts';

/** The most receipts of one head: the number that people can look at. */
const MOST = 50;

/**
 * The receipts of a head in a repository, for members: of every approval, denial and decision about a deployment, also of
 * withdrawn ones, newest first. With `pr`, of those that were signed for that pull request. With `story`, what happened to
 * that pull request.
 *
 * @throws AppError `installationNotFound`, `installationSuspended`, `notMember`, and those of `issueReceipts`.
 */
export async function headReceipts(
  deps: ReceiptDeps,
  { session, ...target }: ReceiptsRequest & { session: Session },
): Promise<ReceiptsAnswer> {
  const org = await requireMember(deps, session, target.ownerID);
  const found = await deps.provedApprovals.ofHead(org.orgId, target.head);
  // The repository may have had other names since, and another one may have its name by now.
  const repoID = target.repoID ?? found.find((one) => isNamed(repoIn(one), target))?.repoId;
  const isOf = ({ repoId, pr, repo }: Pick<ErasedApproval, 'repoId' | 'pr' | 'repo'>) =>
    pr === (target.pr ?? pr) && (repoID === undefined ? isNamed(repo, target) : repoId === repoID);
  const approvals = found
    .filter((one) => isOf({ ...one, repo: repoIn(one) }))
    .slice(0, MOST)
    .sort((one, other) => other.stored.getTime() - one.stored.getTime());
  const story =
    target.story === undefined || repoID === undefined
      ? null
      : await storedStoryOf(deps, org.orgId, { repoId: repoID, pr: target.story });
  const erased = await erasedApprovals(deps.provedApprovals, { org, head: target.head, isOf, found });
  const issued = await issueReceipts(deps, { org, approvals, size: target.size });
  return { ...issued, without: [...issued.without, ...erased.map(whyErased(target.head))], story };
}

const isNamed = (name: string, { repo }: Pick<ReceiptsRequest, 'repo'>) =>
  name.toLowerCase() === repo.toLowerCase();

/** The repository's name that was signed, without its owner's: that is the account, which may have another name by now. */
const repoIn = ({ statement }: ProvedApproval) => (statement as Statement).repo.name.split('/')[1] ?? '';

/** The approvals, denials and decisions of a head whose people were erased. @param input.found Those that are left. */
export async function erasedApprovals(
  provedApprovals: Pick<ProvedApprovals, 'erasedOf'>,
  input: {
    org: Organization;
    head: string;
    isOf(erased: ErasedApproval): boolean;
    found: ProvedApproval[];
  },
): Promise<ErasedApproval[]> {
  const { org, head, isOf, found } = input;
  const known = new Set(found.map(({ id }) => id));
  const erased = await provedApprovals.erasedOf(org.id, head);
  return erased.filter((one) => isOf(one) && !known.has(one.id));
}

/** Why they have no receipts. */
export const whyErased =
  (commit: string) =>
  ({ denies, pr }: ErasedApproval): WithoutReceipt => {
    const [did, what] = denies ? ['denied', 'denial'] : ['approved', 'approval'];
    const why =
      pr === 0
        ? 'The data of a person who decided about a deployment of this commit was erased, so their decision has no receipt.'
        : `The data of a person who ${did} this commit was erased, so their ${what} has no receipt.`;
    return { commit, why };
  };

import type { ApprovalParamsAnswer } from '../../../../src/contract/approvals.ts';
import { sameName } from '../../lib/check-statement.ts';
import type { PageContext } from '../../lib/page-context.ts';

/** The commit of a pull request to approve, as the address names it; the server checks every member. */
export type ApprovalTarget = Named & {
  /** The repository's id. Links from before it was added don't have it. */
  repoID?: string;
};

type Named = Pick<PageContext, 'installation' | 'owner' | 'ownerID' | 'repo' | 'pr' | 'head'>;

const REFUSALS: [keyof Named, string][] = [
  ['installation', 'missing installation'],
  ['owner', 'missing org'],
  ['ownerID', 'missing organization id'],
  ['repo', 'missing repo'],
  ['pr', 'missing pr'],
  ['head', 'missing head'],
];

/** Reads the target from the address, or says which parameter is missing first. */
export function readApprovalTarget(context: PageContext): { target: ApprovalTarget } | { missing: string } {
  const refusal = REFUSALS.find(([name]) => context[name] === '');
  if (refusal) return { missing: refusal[1] };
  const { installation, owner, ownerID, repo, repoID, pr, head } = context;
  return { target: { installation, owner, ownerID, repo, pr, head, ...(repoID && { repoID }) } };
}

/** The parts of the address that a rename, a transfer or a new installation changes. */
export type Address = Pick<ApprovalTarget, 'installation' | 'owner' | 'ownerID' | 'repo'> & {
  repoID: string;
};

/** Where the server says that the pull request is now; null if that's where the page looked for it. */
export function readMove(target: ApprovalTarget, { target: now }: ApprovalParamsAnswer): Address | null {
  const isSame =
    sameName(`${target.owner}/${target.repo}`, `${now.owner}/${now.repo}`) &&
    Number(target.ownerID) === now.ownerID;
  if (isSame) return null;
  return {
    installation: String(now.installation),
    owner: now.owner,
    ownerID: String(now.ownerID),
    repo: now.repo,
    repoID: String(now.repoID),
  };
}

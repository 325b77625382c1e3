import type { ApprovalParamsAnswer } from '../../../../src/contract/approvals.ts';
import { sameName } from '../../lib/check-statement.ts';
import type { ApprovalTarget } from './approval-target.ts';

/** The parts of the address that a rename, a transfer or a new installation changes. */
export type Address = Pick<ApprovalTarget, 'installation' | 'owner' | 'ownerID' | 'repo'> & {
  repoID: string;
};

/** The current place of the pull request, by the server; null if that's where the page looked for it. */
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

import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import { sameApproval } from '../../lib/signing/check-statement.ts';
import { type SignDeps, type SignerDeps, type SignOutcome, signShown } from '../../lib/signing/sign-shown.ts';
import {
  type ApprovalRequest,
  checkApprovalRequest,
  fetchApprovalRequest,
  type RequestDeps,
  sendApproval,
} from './approval-request.ts';
import type { ApprovalTarget } from './approval-target.ts';

export type ApproveDeps = RequestDeps & SignDeps;

/** Collects what an approval of this target by this person needs. */
export function approveDeps(
  { signer, ...deps }: SignerDeps,
  target: ApprovalTarget,
  type: RequestDeps['type'],
): ApproveDeps {
  const { owner, ownerID, repo, repoID, pr, head } = target;
  const repoId = repoID ? Number(repoID) : null;
  const pull = { orgId: Number(ownerID), repo: `${owner}/${repo}`, repoId, pr: Number(pr), head };
  return { ...deps, type, screen: { ...signer, ...pull } };
}

export type ApprovalOutcome = SignOutcome<ApprovalRequest, ApprovalAnswer>;

/**
 * Signs what is on the screen and sends the approval, as `signShown` does. If the person has the list of files, it's
 * requested again with the challenge, but the prompt waits only for a moment for it.
 */
export const approve = (
  deps: ApproveDeps,
  target: ApprovalTarget,
  shown: ApprovalRequest,
): Promise<ApprovalOutcome> =>
  signShown(deps, shown, {
    renew: () => fetchApprovalRequest(deps, target, undefined, shown.statement.files ? 'soon' : undefined),
    looksTheSame,
    check: (request) => checkApprovalRequest(deps, request),
    send: (authResponse) => sendApproval(deps, target, authResponse),
  });

/** Tells whether both requests show the person the same, and approve it. */
export function looksTheSame(a: ApprovalRequest, b: ApprovalRequest): boolean {
  return sameApproval(a.statement, b.statement) && JSON.stringify(a.pull) === JSON.stringify(b.pull);
}

/** Tells whether both requests show the person the same, except the list of files. */
export const looksTheSameButFiles = (a: ApprovalRequest, b: ApprovalRequest): boolean =>
  looksTheSame(withoutFiles(a), withoutFiles(b));

function withoutFiles(request: ApprovalRequest): ApprovalRequest {
  const { files, ...statement } = request.statement;
  return { ...request, statement };
}

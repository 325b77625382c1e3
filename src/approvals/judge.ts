import type { Approval, PullRequest } from './ports.ts';

/** A pull request and the approval that counts for it; null while it waits for one. */
export type JudgedPull = { pull: PullRequest; approval: Approval | null };

/** `passed` is true if there is an open pull request with the head, and each of them is approved. */
export type Verdict = { passed: boolean; pulls: JudgedPull[] };

/**
 * Decides whether a head may pass. A check run belongs to a commit, and several
 * pull requests can share it: the head passes only if each of them is approved
 * for this head and its own base branch. Each is judged on its own.
 */
export function judge(input: { head: string; pulls: PullRequest[]; approvals: Approval[] }): Verdict {
  const { head, approvals } = input;
  const pulls = input.pulls
    .filter((pull) => pull.open && pull.head === head)
    .sort((one, other) => one.number - other.number)
    .map((pull) => judgePull(pull, approvals));
  return { passed: pulls.length > 0 && pulls.every(({ approval }) => approval !== null), pulls };
}

/**
 * Finds the approval that counts for one pull request at its present head, for
 * its present base branch: its own if it has one, else one that was signed for
 * another pull request of the repository. What merging does is the same for both.
 */
export function judgePull(pull: PullRequest, approvals: Approval[]): JudgedPull {
  const valid = approvals.filter((approval) => approves(approval, pull));
  const own = valid.find(({ pr }) => pr === pull.number);
  return { pull, approval: own ?? valid[0] ?? null };
}

function approves(approval: Approval, pull: PullRequest): boolean {
  return (
    approval.orgId === pull.repo.ownerId &&
    approval.repoId === pull.repo.id &&
    approval.head === pull.head &&
    approval.base === pull.base
  );
}

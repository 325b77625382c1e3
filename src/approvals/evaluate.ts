import type { Approval, PullRequest } from './ports.ts';

/** A pull request and the approval that it has; null while it waits. */
export type Standing = { pull: PullRequest; approval: Approval | null };

/** `passed` is true where every open pull request with the head is approved, and there is one. */
export type Verdict = { passed: boolean; standings: Standing[] };

/**
 * May this head pass? A check run belongs to a commit, and several pull requests
 * can share it: it passes only when each of them is approved for this very head
 * and its own base branch.
 */
export function evaluate(input: { head: string; pulls: PullRequest[]; approvals: Approval[] }): Verdict {
  const { head, pulls, approvals } = input;
  const standings = pulls
    .filter((pull) => pull.open && pull.head === head)
    .sort((one, other) => one.number - other.number)
    .map((pull) => ({ pull, approval: approvals.find((approval) => approves(approval, pull)) ?? null }));
  return { passed: standings.length > 0 && standings.every(({ approval }) => approval !== null), standings };
}

/** Whether this approval is of this pull request as it is: its organization, head and base branch. */
export function approves(approval: Approval, pull: PullRequest): boolean {
  return (
    approval.orgId === pull.repo.ownerId &&
    approval.repoId === pull.repo.id &&
    approval.pr === pull.number &&
    approval.head === pull.head &&
    approval.base === pull.base
  );
}

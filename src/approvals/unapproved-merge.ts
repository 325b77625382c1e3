import { approves } from './evaluate.ts';
import type { Alarms, Approvals, PullRequest } from './ports.ts';

/**
 * Raises the alarm where a pull request was merged although nobody had approved
 * its head for its base branch. It may be called as often as wanted.
 */
export async function alarmIfUnapproved(
  deps: { approvals: Approvals; alarms: Alarms },
  pull: PullRequest,
): Promise<void> {
  if (!pull.merged) return;
  const approvals = await deps.approvals.ofHead(pull.repo.id, pull.head);
  if (approvals.some((approval) => approves(approval, pull))) return;
  await deps.alarms.raise({
    orgId: pull.repo.ownerId,
    repoId: pull.repo.id,
    repoName: pull.repo.name,
    pr: pull.number,
    head: pull.head,
    by: pull.mergedBy,
  });
}

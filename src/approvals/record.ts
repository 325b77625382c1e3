import type { ApprovalAnswer } from '../contract/approvals.ts';
import type { Inspected } from './inspect.ts';
import { pullUrl } from './links.ts';
import type { NewApproval, RunRecord } from './ports.ts';
import { type ReportDeps, reportHead, type Seen } from './report.ts';

export type RecordDeps = ReportDeps & { onDelay(error: unknown): void };

/**
 * Stores an approval of the head that was inspected, and then tells GitHub. An
 * outage between the two delays the green check and loses nothing.
 */
export async function record(
  deps: RecordDeps,
  { repo, pull, open, run }: Inspected & { run?: RunRecord | null },
  approval: Omit<NewApproval, 'repo' | 'pr' | 'base' | 'head'>,
): Promise<ApprovalAnswer> {
  await deps.approvals.add({
    ...approval,
    repo: { ...repo, id: pull.repo.id },
    pr: pull.number,
    base: pull.base,
    head: pull.head,
  });
  const seen: Seen = run === undefined ? { pulls: open } : { pulls: open, run };
  const reported = await reportHead(deps, { repo, repoId: pull.repo.id, head: pull.head }, seen).then(
    () => true,
    (error: unknown) => {
      // Whatever it is: the approval is stored, and nobody may read that it was refused.
      deps.onDelay(error);
      return false;
    },
  );
  return { redirect: pullUrl(deps.places, pull), reported };
}

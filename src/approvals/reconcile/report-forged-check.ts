import { noticesTo } from '../../notices/notices-to.ts';
import type { HeadRef, PullRequest, ShownRun } from '../ports.ts';
import { targetOf } from '../sync-target.ts';
import type { ReconcileDeps } from './deps.ts';

/** A required check with one of these lets a pull request merge (GitHub: "About protected branches"). */
const PASSING = ['success', 'skipped', 'neutral'];

export const isPassing = (run: ShownRun | null) => PASSING.includes(run?.conclusion ?? '');

/**
 * Logs a run that GitHub shows as passed although no process completed it or was
 * about to, and although a pull request isn't approved. Only who has the App's key can
 * write one. Notifies the owners and the operators, once for each run.
 *
 * Before a store's first reconciliation without a fault nothing is logged: a new
 * or restored store doesn't know the runs that were completed before.
 *
 * @param shown The run that GitHub shows now. Records are read later, because a process records a write first.
 * @param findUnapproved Finds the pull request that the run must not let merge, if there is one.
 */
export async function reportForgedCheck(
  deps: ReconcileDeps,
  headRef: HeadRef,
  shown: ShownRun | null,
  findUnapproved: () => Promise<PullRequest | null | undefined>,
): Promise<void> {
  if (!shown || !isPassing(shown) || !(await isUnexplained(deps, headRef, shown))) return;
  const pull = await findUnapproved();
  const org = pull && (await deps.organizations.byOrgId(pull.repo.ownerId));
  if (!org) return;
  const owners = await deps.memberships.ownersToNotify(org.id);
  const { number: pr, repo } = pull;
  const isNew = await deps.findings.add(`forged-check:${headRef.repoId}:${shown.id}`, {
    activity: {
      activity: 'forgedCheck',
      userId: '',
      orgRecordId: org.id,
      data: { sha: headRef.head, pr, repo: repo.name, org: org.name },
      facts: { repoId: repo.id },
    },
    notices: noticesTo(owners, 'forgedCheck', { org: org.name, label: `${repo.name}#${pr}` }),
  });
  if (isNew) deps.onForgedCheck(targetOf(headRef));
}

/** Tells whether no attempt of ours may have made the run green, in a store that knows all of them. */
async function isUnexplained(
  { checkRunRecords, reconcileReports, clock }: ReconcileDeps,
  { repoId, head }: HeadRef,
  shown: ShownRun,
): Promise<boolean> {
  const attempts = await checkRunRecords.attempts(repoId, head);
  if (attempts.some(({ checkRunId, mayBeGreen }) => checkRunId === shown.id && mayBeGreen)) return false;
  const latest = await reconcileReports.latest();
  return latest !== null && Date.parse(latest.report.explainsFrom) <= clock.now().getTime();
}

import { createExpiringMap } from '../../shared/expiring-map.ts';
import { attempt } from '../../shared/work.ts';
import { type HeadReading, judgeHead } from '../check-run/head.ts';
import type { CheckRunRecord, HeadRef, ShownRun } from '../ports.ts';
import { targetOf } from '../sync-target.ts';
import type { ReconcileDeps } from './deps.ts';
import { isPassing, reportForgedCheck } from './report-forged-check.ts';
import { trySyncCheckRun } from './sync-open-pulls.ts';

/**
 * Compares the run that GitHub shows on a head with the one in the store, and
 * replaces it if they differ: a webhook about a requested re-run was lost,
 * GitHub marked the run as stale, for which it sends no webhook, or a person
 * with the App's key wrote it.
 *
 * @param reading The repository's open pull requests, if the caller has just read them.
 * @returns Whether they differ, or may differ because that failed.
 */
export async function repairDrift(
  deps: ReconcileDeps,
  headRef: HeadRef,
  reading?: HeadReading,
): Promise<boolean> {
  const findUnapproved = async () =>
    (await judgeHead(deps, headRef, reading))?.verdict.pulls.find(({ passed }) => !passed)?.pull;
  const repair = async () => {
    const record = await deps.checkRunRecords.latest(headRef.repoId, headRef.head);
    const shown =
      record?.phase === 'creating' ? null : await deps.checkRuns.findNewest(headRef.repo, headRef.head);
    // Taking green away must not depend on the alert.
    await attempt(deps, targetOf(headRef), () => reportForgedCheck(deps, headRef, shown, findUnapproved));
    const isDifferent = differs(shown, record) && (await isUnchanged(deps, headRef, record));
    // A run that is being created, or was given up, is handled by syncing the head.
    const replaceAttempt = isDifferent && record?.checkRunId != null ? record.attempt : undefined;
    const reason = isDifferent && isPassing(shown) ? 'withdrawal' : 'repair';
    await trySyncCheckRun(deps, headRef, reading, { replaceAttempt, reason });
    return isDifferent;
  };
  return (await attempt(deps, targetOf(headRef), repair)) ?? true;
}

/** If another process wrote the run in the meantime, GitHub's answer is from before that write or from after it. */
async function isUnchanged(
  { checkRunRecords }: ReconcileDeps,
  { repoId, head }: HeadRef,
  record: CheckRunRecord | null,
): Promise<boolean> {
  const now = await checkRunRecords.latest(repoId, head);
  return (
    now?.attempt === record?.attempt &&
    now?.phase === record?.phase &&
    now?.fingerprint === record?.fingerprint
  );
}

/**
 * Tells whether GitHub shows another run than our record. A head without a record has to show none that passed.
 */
export function differs(shown: ShownRun | null, record: CheckRunRecord | null): boolean {
  if (!record || record.checkRunId === null) return isPassing(shown);
  if (shown?.id !== record.checkRunId) return true;
  if (record.phase === 'completed')
    return shown.conclusion !== (record.mayBeGreen ? 'success' : 'action_required');
  const mayBeCompleted = record.phase === 'completing' && shown.conclusion === 'success';
  return shown.status !== 'in_progress' && !mayBeCompleted;
}

const ONCE_IN_MS = 60_000;

/** Repairs the run of a head that a person is looking at, in the background and at most once a minute. */
export function createRecheckRun(deps: ReconcileDeps): (headRef: HeadRef) => void {
  const recent = createExpiringMap<true>(deps.clock, ONCE_IN_MS);
  return (headRef) => {
    const key = `${headRef.repoId}:${headRef.head}`;
    if (recent.get(key)) return;
    recent.set(key, true);
    void repairDrift(deps, headRef);
  };
}

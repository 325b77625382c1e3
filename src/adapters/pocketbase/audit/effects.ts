import type { ForgedChecks, UnapprovedMerges } from '../../../approvals/ports.ts';
import type { Effects } from '../../../audit/ports.ts';
import type { ForgedRecords } from '../../../organizations/ports.ts';
import { createIfNew } from '../client.ts';
import { recordIdOf } from '../records/records-of.ts';
import type { ActivityLog } from './activity-log.ts';

/**
 * Stores the effects of something that is logged once, with nothing else. The
 * same name has the same log entry, so a second call is a duplicate.
 *
 * @returns False if they were stored before.
 */
export async function addEffectsOnce(log: ActivityLog, name: string, effects: Effects): Promise<boolean> {
  return (await createIfNew(() => log.send(effects, { id: recordIdOf(name) }))) !== null;
}

/** The effects with what finds their entry again. */
export const withSubject = ({ activity, notices }: Effects, subject: string): Effects => ({
  activity: { ...activity, subject },
  notices,
});

/** Logs each finding once, even if several processes report it. */
export const createLoggedFindings = (
  log: ActivityLog,
): { forgedChecks: ForgedChecks; forgedRecords: ForgedRecords; unapprovedMerges: UnapprovedMerges } => ({
  forgedChecks: {
    add: ({ repoId, checkRunId }, effects) =>
      addEffectsOnce(log, `forged-check:${repoId}:${checkRunId}`, effects),
  },
  forgedRecords: {
    async add({ collection, id }, effects) {
      await addEffectsOnce(log, `forged:${collection}:${id}`, effects);
    },
  },
  unapprovedMerges: {
    async add({ repoId, pr }, effects) {
      await addEffectsOnce(log, `unapproved-merge:${repoId}:${pr}`, effects);
    },
  },
});

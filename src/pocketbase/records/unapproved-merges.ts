import type { UnapprovedMerges } from '../../approvals/ports.ts';
import type { ActivityLog } from './activity-log.ts';
import { addEffectsOnce } from './effects.ts';

export const createUnapprovedMerges = (log: ActivityLog): UnapprovedMerges => ({
  async add({ repoId, pr }, effects) {
    await addEffectsOnce(log, `unapproved-merge:${repoId}:${pr}`, effects);
  },
});

import type { ForgedChecks } from '../../approvals/ports.ts';
import type { ActivityLog } from './activity-log.ts';
import { addEffectsOnce } from './effects.ts';

export const createForgedChecks = (log: ActivityLog): ForgedChecks => ({
  add: ({ repoId, checkRunId }, effects) =>
    addEffectsOnce(log, `forged-check:${repoId}:${checkRunId}`, effects),
});

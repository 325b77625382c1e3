import type { ForgedRecords } from '../../organizations/ports.ts';
import type { ActivityLog } from './activity-log.ts';
import { addEffectsOnce } from './effects.ts';

export const createForgedRecords = (log: ActivityLog): ForgedRecords => ({
  async add({ collection, id }, effects) {
    await addEffectsOnce(log, `forged:${collection}:${id}`, effects);
  },
});

import type { ForgedChecks } from '../../approvals/ports.ts';
import type { StoreClient } from '../client.ts';
import { addEffectsOnce } from './effects.ts';

export const createForgedChecks = (client: StoreClient): ForgedChecks => ({
  add: ({ repoId, checkRunId }, effects) =>
    addEffectsOnce(client, `forged-check:${repoId}:${checkRunId}`, effects),
});

import type { UnapprovedMerges } from '../../approvals/ports.ts';
import type { StoreClient } from '../client.ts';
import { addEffectsOnce } from './effects.ts';

export const createUnapprovedMerges = (client: StoreClient): UnapprovedMerges => ({
  async add({ repoId, pr }, effects) {
    await addEffectsOnce(client, `unapproved-merge:${repoId}:${pr}`, effects);
  },
});

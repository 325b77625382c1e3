import type { UnapprovedMerges } from '../../approvals/ports.ts';
import { createIfNew, type StoreClient } from '../client.ts';
import { addActivity } from './effects.ts';
import { queueNotice } from './notices.ts';
import { recordIdOf } from './record-id.ts';

export function createUnapprovedMerges(client: StoreClient): UnapprovedMerges {
  return {
    async add({ repoId, pr }, { activity, notices }) {
      await client.run(async (records) => {
        const batch = records.createBatch();
        // The same id for the same pull request: a second entry is a duplicate.
        addActivity(batch, activity, recordIdOf(`unapproved-merge:${repoId}:${pr}`));
        for (const notice of notices) queueNotice(batch, notice, client.clock.now());
        await createIfNew(() => batch.send());
      });
    },
  };
}

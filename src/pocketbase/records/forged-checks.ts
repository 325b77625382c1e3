import type { ForgedChecks } from '../../approvals/ports.ts';
import { createIfNew, type StoreClient } from '../client.ts';
import { addActivity } from './effects.ts';
import { queueNotice } from './notices.ts';
import { recordIdOf } from './record-id.ts';

export function createForgedChecks(client: StoreClient): ForgedChecks {
  return {
    async add({ repoId, checkRunId }, { activity, notices }) {
      return client.run(async (records) => {
        const batch = records.createBatch();
        // The same id for the same run: a second entry is a duplicate.
        addActivity(batch, activity, recordIdOf(`forged-check:${repoId}:${checkRunId}`));
        for (const notice of notices) queueNotice(batch, notice, client.clock.now());
        return (await createIfNew(() => batch.send())) !== null;
      });
    },
  };
}

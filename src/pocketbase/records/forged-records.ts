import type { ForgedRecords } from '../../organizations/ports.ts';
import { createIfNew, type StoreClient } from '../client.ts';
import { addActivity } from './effects.ts';
import { queueNotice } from './notices.ts';
import { recordIdOf } from './record-id.ts';

export function createForgedRecords(client: StoreClient): ForgedRecords {
  return {
    async add({ collection, id }, { activity, notices }) {
      await client.run(async (records) => {
        const batch = records.createBatch();
        // The same id for the same record: a second entry is a duplicate.
        addActivity(batch, activity, recordIdOf(`forged:${collection}:${id}`));
        for (const notice of notices) queueNotice(batch, notice, client.clock.now());
        await createIfNew(() => batch.send());
      });
    },
  };
}

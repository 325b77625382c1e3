import type { Deliveries } from '../webhook.ts';
import { first, isDuplicate, type StoreClient } from './client.ts';

export function createDeliveries(client: StoreClient): Deliveries {
  return {
    async isDone(guid) {
      const found = await client.run((records) =>
        first<{ id: string }>(records, 'webhook_deliveries', 'guid = {:guid}', { guid }),
      );
      return found !== null;
    },
    async last(installation) {
      const found = await client.run((records) =>
        first<{ created: string }>(
          records,
          'webhook_deliveries',
          'installation_id = {:installation}',
          { installation },
          { sort: '-created' },
        ),
      );
      return found && new Date(found.created);
    },
    async done(guid, event, installation) {
      await client
        .run((records) =>
          records.collection('webhook_deliveries').create({ guid, event, installation_id: installation }),
        )
        .catch((error: unknown) => {
          if (!isDuplicate(error)) throw error;
        });
    },
  };
}

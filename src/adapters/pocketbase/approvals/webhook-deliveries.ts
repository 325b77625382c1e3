import type { WebhookDeliveries } from '../../../shared/webhook.ts';
import { createIfNew, first, type StoreClient } from '../client.ts';

export function createWebhookDeliveries(client: StoreClient): WebhookDeliveries {
  return {
    async isProcessed(guid) {
      const found = await client.run((records) =>
        first<{ id: string }>(records, 'webhook_deliveries', 'guid = {:guid}', { guid }),
      );
      return found !== null;
    },
    async lastProcessedAt(installation) {
      const found = await client.run((records) =>
        first<{ created: string }>(
          records,
          'webhook_deliveries',
          installation === undefined ? '' : 'installation_id = {:installation}',
          { installation },
          { sort: '-created' },
        ),
      );
      return found && new Date(found.created);
    },
    async markProcessed(guid, event, installation) {
      const fields = { guid, event, installation_id: installation };
      await createIfNew(() =>
        client.run((records) => records.collection('webhook_deliveries').create(fields)),
      );
    },
  };
}

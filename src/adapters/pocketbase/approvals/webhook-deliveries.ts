import type { UnheardChanges } from '../../../approvals/ports.ts';
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

type Noted = { id: string; installation_id: number; unheard_at: string };

const NOTED = "installation_id > 0 && suspended = false && unheard_at != ''";

/** Every time here is the store's, because the store also dates the webhooks. */
export function createUnheardChanges(client: StoreClient): UnheardChanges {
  const { lastProcessedAt } = createWebhookDeliveries(client);
  const isUnheard = async ({ installation_id, unheard_at }: Noted) => {
    if (unheard_at === '') return false;
    const last = await lastProcessedAt(installation_id);
    return last === null || last < new Date(unheard_at);
  };
  const find = (filter: string, values: Record<string, unknown>) =>
    client.run((records) =>
      records.collection('organizations').getFullList<Noted>({
        filter: records.filter(filter, values),
        fields: 'id,installation_id,unheard_at',
      }),
    );
  const update = (id: string, fields: object) =>
    client.run((records) => records.collection('organizations').update<{ updated: string }>(id, fields));

  return {
    async note(installation, ageMs) {
      for (const org of await find('installation_id = {:installation}', { installation })) {
        if (await isUnheard(org)) continue;
        const { updated: now } = await update(org.id, {});
        await update(org.id, { unheard_at: new Date(Date.parse(now) - ageMs).toISOString() });
      }
    },
    async list(forMs) {
      const unheard: { installation: number; at: Date }[] = [];
      const isOld = "unheard_at < strftime('%Y-%m-%d %H:%M:%fZ', @now, {:ago})";
      for (const org of await find(`${NOTED} && ${isOld}`, { ago: `-${forMs / 1000} seconds` })) {
        if (await isUnheard(org))
          unheard.push({ installation: org.installation_id, at: new Date(org.unheard_at) });
      }
      return unheard;
    },
  };
}

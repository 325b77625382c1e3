import type { UnheardChanges } from '../../../approvals/reconcile/ports.ts';
import type { WebhookDeliveries } from '../../../shared/webhook.ts';
import { gatherBatches, type StoreClient, sendBatch } from '../client.ts';
import { recordIdOf, recordsOf } from '../records/records-of.ts';

type Arrived = { guid: string; event: string; installation_id: number; processed?: true };

export function createWebhookDeliveries(client: StoreClient): WebhookDeliveries {
  const deliveries = recordsOf(client, 'webhook_deliveries');
  /** Creates or updates the record of a webhook, and says whether it was processed. A field that isn't sent stays. */
  const put = gatherBatches<Arrived, boolean>(async (all) => {
    const results = await sendBatch(client, (batch) => {
      for (const arrived of all)
        batch.collection('webhook_deliveries').upsert({ id: recordIdOf(arrived.guid), ...arrived });
    });
    return results.map(({ body }) => body.processed);
  });
  return {
    receive: (guid, event, installation) => put({ guid, event, installation_id: installation }),
    isProcessed: async (guid) => (await deliveries.first({ id: recordIdOf(guid), processed: true })) !== null,
    async lastReceivedAt(installation) {
      const wanted = installation === undefined ? {} : { installation_id: installation };
      const found = await deliveries.first(wanted, { sort: '-created' });
      return found && new Date(found.created);
    },
    async markProcessed(guid, event, installation) {
      await put({ guid, event, installation_id: installation, processed: true });
    },
  };
}

type Organization = { id: string; installation_id: number; unheard_at: string };

const NOTED = "installation_id > 0 && suspended = false && unheard_at != ''";

/** Every time here is the store's, because the store also dates the webhooks. */
export function createUnheardChanges(client: StoreClient): UnheardChanges {
  const organizations = recordsOf(client, 'organizations');
  const { lastReceivedAt } = createWebhookDeliveries(client);
  const isUnheard = async ({ installation_id, unheard_at }: Organization) => {
    if (unheard_at === '') return false;
    const last = await lastReceivedAt(installation_id);
    return last === null || last < new Date(unheard_at);
  };
  const options = { fields: 'id,installation_id,unheard_at' };

  return {
    async note(installation, ageMs) {
      for (const org of await organizations.all({ installation_id: installation }, options)) {
        if (await isUnheard(org)) continue;
        const { updated: now } = await organizations.update(org.id, {});
        const at = new Date(Date.parse(now) - ageMs);
        await organizations.update(org.id, { unheard_at: at.toISOString() });
      }
    },
    async list(forMs) {
      const unheard: { installation: number; at: Date }[] = [];
      const isOld = "unheard_at < strftime('%Y-%m-%d %H:%M:%fZ', @now, {:ago})";
      const values = { ago: `-${forMs / 1000} seconds` };
      for (const org of await organizations.all([`${NOTED} && ${isOld}`, values], options)) {
        if (await isUnheard(org))
          unheard.push({ installation: org.installation_id, at: new Date(org.unheard_at) });
      }
      return unheard;
    },
  };
}

import type { UnheardChanges } from '../../../approvals/ports.ts';
import type { WebhookDeliveries } from '../../../shared/webhook.ts';
import type { StoreClient } from '../client.ts';
import { recordsOf } from '../records/records-of.ts';

export function createWebhookDeliveries(client: StoreClient): WebhookDeliveries {
  const deliveries = recordsOf(client, 'webhook_deliveries');
  return {
    isProcessed: async (guid) => (await deliveries.first({ guid })) !== null,
    async lastProcessedAt(installation) {
      const wanted = installation === undefined ? {} : { installation_id: installation };
      const found = await deliveries.first(wanted, { sort: '-created' });
      return found && new Date(found.created);
    },
    async markProcessed(guid, event, installation) {
      await deliveries.createIfNew({ guid, event, installation_id: installation });
    },
  };
}

type Organization = { id: string; installation_id: number; unheard_at: string };

const NOTED = "installation_id > 0 && suspended = false && unheard_at != ''";

/** Every time here is the store's, because the store also dates the webhooks. */
export function createUnheardChanges(client: StoreClient): UnheardChanges {
  const organizations = recordsOf(client, 'organizations');
  const { lastProcessedAt } = createWebhookDeliveries(client);
  const isUnheard = async ({ installation_id, unheard_at }: Organization) => {
    if (unheard_at === '') return false;
    const last = await lastProcessedAt(installation_id);
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

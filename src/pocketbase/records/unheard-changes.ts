import type { UnheardChanges } from '../../approvals/ports.ts';
import type { StoreClient } from '../client.ts';
import { createWebhookDeliveries } from './webhook-deliveries.ts';

type Noted = { id: string; installation_id: number; unheard_at: string };

export function createUnheardChanges(client: StoreClient): UnheardChanges {
  const { lastProcessedAt } = createWebhookDeliveries(client);
  const isUnheard = async ({ installation_id, unheard_at }: Noted) => {
    if (unheard_at === '') return false;
    const last = await lastProcessedAt(installation_id);
    return last === null || last < new Date(unheard_at);
  };
  const find = (filter: string, values: Record<string, unknown> = {}) =>
    client.run((records) =>
      records.collection('organizations').getFullList<Noted>({
        filter: records.filter(filter, values),
        fields: 'id,installation_id,unheard_at',
      }),
    );

  return {
    async note(installation, at) {
      for (const org of await find('installation_id = {:installation}', { installation })) {
        if (await isUnheard(org)) continue;
        await client.run((records) =>
          records.collection('organizations').update(org.id, { unheard_at: at.toISOString() }),
        );
      }
    },
    async list() {
      const unheard: { installation: number; at: Date }[] = [];
      for (const org of await find("installation_id > 0 && suspended = false && unheard_at != ''")) {
        if (await isUnheard(org))
          unheard.push({ installation: org.installation_id, at: new Date(org.unheard_at) });
      }
      return unheard;
    },
  };
}

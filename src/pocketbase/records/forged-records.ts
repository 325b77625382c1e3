import type { ForgedRecords } from '../../organizations/ports.ts';
import type { StoreClient } from '../client.ts';
import { addEffectsOnce } from './effects.ts';

export const createForgedRecords = (client: StoreClient): ForgedRecords => ({
  async add({ collection, id }, effects) {
    await addEffectsOnce(client, `forged:${collection}:${id}`, effects);
  },
});

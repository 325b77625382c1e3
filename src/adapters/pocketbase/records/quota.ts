import type { Quota } from '../../../shared/quota.ts';
import { createIfNew, first, ignoreMissing, type StoreClient } from '../client.ts';

type TakenSlot = { id: string; expires: string };

/**
 * Slots are records with unique names: of two processes that want the same one
 * at the same moment, one gets it.
 */
export function createQuota(client: StoreClient): Quota {
  return {
    async take(key, { most, ms }, now) {
      let next = new Date(now.getTime() + ms);
      for (let slot = 1; slot <= most; slot += 1) {
        const name = `${key}:${slot}`;
        const holder = await client.run((records) =>
          first<TakenSlot>(records, 'one_time_keys', 'key = {:name}', { name }),
        );
        const until = holder && new Date(holder.expires);
        if (until && until > now) {
          if (until < next) next = until;
          continue;
        }
        if (holder) await remove(holder.id);
        const id = await create(name, new Date(now.getTime() + ms));
        if (id) return { release: () => remove(id) };
      }
      return next;
    },
  };

  /** Null if another process was faster. */
  async function create(key: string, expires: Date): Promise<string | null> {
    const made = await createIfNew(() =>
      client.run((records) =>
        records.collection('one_time_keys').create<TakenSlot>({ key, expires: expires.toISOString() }),
      ),
    );
    return made?.id ?? null;
  }

  async function remove(id: string): Promise<void> {
    await client.run((records) => records.collection('one_time_keys').delete(id).catch(ignoreMissing));
  }
}

import type { Quota } from '../accounts/ports.ts';
import { first, ignoreMissing, isDuplicate, type StoreClient } from './client.ts';

type TakenPlace = { id: string; expires: string };

/**
 * Places that are records with names of their own: of two that want the same
 * one at the same moment, in whichever process, one gets it.
 */
export function createQuota(client: StoreClient): Quota {
  return {
    async take(key, { most, ms }, now) {
      let next = new Date(now.getTime() + ms);
      for (let place = 1; place <= most; place += 1) {
        const name = `${key}:${place}`;
        const holder = await client.run((records) =>
          first<TakenPlace>(records, 'spent', 'key = {:name}', { name }),
        );
        const until = holder && new Date(holder.expires);
        if (until && until > now) {
          if (until < next) next = until;
          continue;
        }
        if (holder) await remove(holder.id);
        const id = await create(name, new Date(now.getTime() + ms));
        if (id) return { giveBack: () => remove(id) };
      }
      return next;
    },
  };

  /** Null where another was faster. */
  async function create(key: string, expires: Date): Promise<string | null> {
    try {
      const made = await client.run((records) =>
        records.collection('spent').create<TakenPlace>({ key, expires: expires.toISOString() }),
      );
      return made.id;
    } catch (error) {
      if (isDuplicate(error)) return null;
      throw error;
    }
  }

  async function remove(id: string): Promise<void> {
    await client.run((records) => records.collection('spent').delete(id).catch(ignoreMissing));
  }
}

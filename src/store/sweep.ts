import { ignoreMissing, type StoreClient } from './client.ts';

const MOST_AT_ONCE = 200;
const MOST_ROUNDS = 50;

/** What is of no use past a time: which collection, and the filter that finds it at that time. */
const PAST: [collection: string, filter: string, keptMs: number][] = [
  ['challenges', 'expires < {:before}', 60 * 60 * 1000],
  ['spent', 'expires < {:before}', 0],
  ['merge_groups', 'created < {:before}', 30 * 24 * 60 * 60 * 1000],
  ['sweeps', 'created < {:before}', 24 * 60 * 60 * 1000],
  ['email_codes', 'expires < {:before}', 0],
  // Nobody wants to hear of it any more.
  ['notices', 'created < {:before}', 3 * 24 * 60 * 60 * 1000],
  // GitHub can deliver again what is up to three days old; replays are refused a month.
  ['webhook_deliveries', 'created < {:before}', 30 * 24 * 60 * 60 * 1000],
];

/** Removes what has expired; a little each time, so that nobody waits behind it. */
export async function sweepExpired(client: StoreClient, now: Date): Promise<void> {
  await client.run(async (records) => {
    for (const [collection, filter, keptMs] of PAST) {
      const before = new Date(now.getTime() - keptMs).toISOString().replace('T', ' ');
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const page = await records.collection(collection).getList<{ id: string }>(1, MOST_AT_ONCE, {
          filter: records.filter(filter, { before }),
          skipTotal: true,
          fields: 'id',
        });
        for (const { id } of page.items) {
          await records.collection(collection).delete(id).catch(ignoreMissing);
        }
        if (page.items.length < MOST_AT_ONCE) break;
      }
    }
  });
}

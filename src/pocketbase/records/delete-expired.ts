import { ignoreMissing, type StoreClient } from '../client.ts';
import { storeTime } from '../store-time.ts';

const MOST_AT_ONCE = 200;
const MOST_ROUNDS = 50;

/** What expires: the collection, the filter that finds it, and how long it's kept after that time. */
const EXPIRING: [collection: string, filter: string, keptMs: number][] = [
  ['challenges', 'expires < {:before}', 60 * 60 * 1000],
  ['one_time_keys', 'expires < {:before}', 0],
  ['merge_groups', 'created < {:before}', 30 * 24 * 60 * 60 * 1000],
  ['reconcile_reports', 'created < {:before}', 24 * 60 * 60 * 1000],
  ['email_codes', 'expires < {:before}', 0],
  ['device_links', 'expires < {:before}', 0],
  // An e-mail that couldn't be sent for three days is no longer news.
  ['notices', 'created < {:before}', 3 * 24 * 60 * 60 * 1000],
  ['member_reminders', 'at < {:before}', 90 * 24 * 60 * 60 * 1000],
  // GitHub redelivers webhooks for up to three days. We refuse replays for a month.
  ['webhook_deliveries', 'created < {:before}', 30 * 24 * 60 * 60 * 1000],
  ['commit_trees', 'created < {:before}', 180 * 24 * 60 * 60 * 1000],
  // While the head is open, somebody may still have to approve what was pushed.
  ['pushers', 'created < {:before} && @collection.open_pulls.head != head', 180 * 24 * 60 * 60 * 1000],
  // While the head is open, its people must not get another e-mail about it.
  ['pull_notices', 'at < {:before} && @collection.open_pulls.head != head', 180 * 24 * 60 * 60 * 1000],
];

/** Deletes expired records, in small pages, so that other requests don't wait for it. */
export async function deleteExpired(client: StoreClient, now: Date): Promise<void> {
  await client.run(async (records) => {
    for (const [collection, filter, keptMs] of EXPIRING) {
      const before = storeTime(new Date(now.getTime() - keptMs));
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

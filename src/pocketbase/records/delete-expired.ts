import type PocketBase from 'pocketbase';
import { ignoreMissing, type StoreClient } from '../client.ts';
import { storeTime } from '../store-time.ts';
import { deleteClosedRuns } from './delete-closed-runs.ts';
import { MOST_HEADS, openAmong } from './open-among.ts';

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
];

/** What is kept while the head is open: who pushed it decides who may approve it, and nobody gets two e-mails about it. */
const OF_HEADS = [
  { collection: 'pushers', time: 'created' },
  { collection: 'pull_notices', time: 'at' },
];
const KEPT_OF_HEADS_MS = 180 * 24 * 60 * 60 * 1000;

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
        await deleteEach(records, collection, page.items);
        if (page.items.length < MOST_AT_ONCE) break;
      }
    }
    const before = storeTime(new Date(now.getTime() - KEPT_OF_HEADS_MS));
    for (const place of OF_HEADS) await deleteOfClosedHeads(records, place, before);
    await deleteClosedRuns(records, now);
  });
}

type OfHead = { id: string; head: string; created: string; at: string };

async function deleteOfClosedHeads(
  records: PocketBase,
  { collection, time }: (typeof OF_HEADS)[number],
  before: string,
): Promise<void> {
  const after = `${time} < {:before} && ${time} >= {:at} && (${time} > {:at} || id > {:id})`;
  const values = { before, at: '', id: '' };
  for (;;) {
    const { items } = await records.collection(collection).getList<OfHead>(1, MOST_HEADS, {
      filter: records.filter(after, values),
      sort: `${time},id`,
      skipTotal: true,
    });
    const last = items.at(-1);
    if (!last) return;
    const open = await openAmong(records, new Set(items.map(({ head }) => head)));
    const closed = items.filter(({ head }) => !open.has(head));
    await deleteEach(records, collection, closed);
    Object.assign(values, { at: time === 'at' ? last.at : last.created, id: last.id });
  }
}

async function deleteEach(records: PocketBase, collection: string, found: { id: string }[]): Promise<void> {
  for (const { id } of found) await records.collection(collection).delete(id).catch(ignoreMissing);
}

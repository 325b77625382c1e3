import type PocketBase from 'pocketbase';
import { ignoreMissing, type StoreClient, storeTime } from '../client.ts';
import { DEFINITIONS } from '../schema/collections.ts';
import type { Expiry } from '../schema/definition.ts';

const MOST_AT_ONCE = 200;
const MOST_ROUNDS = 50;

/** Deletes expired records, in small pages, so that other requests don't wait for it. */
export async function deleteExpired(client: StoreClient, now: Date): Promise<void> {
  await client.run(async (records) => {
    for (const [collection, { expires }] of DEFINITIONS) {
      if (expires === 'never') continue;
      const before = storeTime(new Date(now.getTime() - expires.keptMs));
      if (expires.ofHead) await deleteOfClosedHeads(records, collection, { ...expires, before });
      else await deleteBefore(records, collection, { ...expires, before });
    }
  });
}

type Expired = Expiry & { before: string };

async function deleteBefore(records: PocketBase, collection: string, { time, before }: Expired) {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const page = await records.collection(collection).getList<{ id: string }>(1, MOST_AT_ONCE, {
      filter: records.filter(`${time} < {:before}`, { before }),
      skipTotal: true,
      fields: 'id',
    });
    await deleteEach(records, collection, page.items);
    if (page.items.length < MOST_AT_ONCE) return;
  }
}

async function deleteOfClosedHeads(
  records: PocketBase,
  collection: string,
  { time, before, only }: Expired,
): Promise<void> {
  const inOrder = `${time} < {:before} && ${time} >= {:at} && (${time} > {:at} || id > {:id})`;
  const filter = only ? `${only} && ${time} < {:before} && id > {:id}` : inOrder;
  for (let last: Record<string, string> = { at: '', id: '' }; ; ) {
    const { items } = await records
      .collection(collection)
      .getList<{ id: string; head: string }>(1, MOST_HEADS, {
        filter: records.filter(filter, { before, ...last }),
        sort: only ? 'id' : `${time},id`,
        fields: `id,head,${time}`,
        skipTotal: true,
      });
    const end = items.at(-1);
    if (!end) return;
    const open = await openAmong(records, new Set(items.map(({ head }) => head)));
    const closed = items.filter(({ head }) => !open.has(head));
    await deleteEach(records, collection, closed);
    last = { at: String((end as Record<string, unknown>)[time]), id: end.id };
  }
}

async function deleteEach(records: PocketBase, collection: string, found: { id: string }[]): Promise<void> {
  for (const { id } of found) await records.collection(collection).delete(id).catch(ignoreMissing);
}

/** How many heads `openAmong` takes: PocketBase refuses filters of more than 3,500 characters. */
export const MOST_HEADS = 40;

/** Those of these heads that an open pull request has. */
export async function openAmong(records: PocketBase, heads: Set<string>): Promise<Set<string>> {
  const found = await records.collection('open_pulls').getFullList<{ head: string }>({
    filter: [...heads].map((head) => records.filter('head = {:head}', { head })).join('||'),
    fields: 'head',
  });
  return new Set(found.map(({ head }) => head));
}
